import { existsSync } from "node:fs";
import { join } from "node:path";
import { Journal } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { messageOf } from "../messageOf.ts";
import { oneLine, printable } from "../printable.ts";
import { sessionsFor } from "../sessions/list.ts";
import { findSession, withSessions } from "../sessions/findSession.ts";
import { rewind } from "../sessions/rewind.ts";
import { newSessionId } from "../sessions/sessionId.ts";
import { summaryOf } from "../sessions/SessionIndex.ts";
import { transcriptOf } from "../sessions/Transcript.ts";
import { inputLine, standing, when } from "../sessions/words.ts";
import { proseRows } from "./columns.ts";
import type { Talk } from "./Talk.ts";
import { nothingSpent } from "./LiveRows.ts";

const mostListed = 15;

/** `/resume`: the sessions of this folder, or another one, from here on. */
export const resumeSession = async (mode: Talk, given: string): Promise<void> => {
  const { cwd, session } = mode.settings;
  if (given === "") {
    const { sessions } = await Effect.runPromise(sessionsFor({ all: false, cwd }));
    const others = sessions.filter(({ id }) => id !== session.id).slice(0, mostListed);
    if (others.length === 0) return mode.note("there is no other session of this folder");
    mode.say(
      [
        ...others.map((one) => `${one.id}  ${when(one.changedAt)}  ${standing(one)}  ${oneLine(one.prompt, 60)}`),
        "/resume <id> goes on with one; its last letters are enough",
      ].join("\n"),
    );
    return;
  }
  const found = await Effect.runPromise(
    withSessions(
      Effect.flatMap(findSession(given), (id) => summaryOf(session.directory, id)),
      session.directory,
    ),
  );
  if (found === undefined) return mode.note("that session has just been removed");
  if (found.isInUse && found.id !== session.id) return mode.note(`session ${found.id} is in use by another process`);
  if (found.cwd !== null && found.cwd !== cwd)
    return mode.note(`that session works in ${printable(found.cwd)}: kumiko --resume ${found.id}`);
  await mode.leave();
  const { head, id, isPaused, status } = found;
  mode.settings = {
    ...mode.settings,
    session: {
      type: "goOn",
      id,
      head,
      isPaused,
      status,
      isWaiting: status === "waiting",
      directory: session.directory,
    },
  };
  mode.spent = nothingSpent;
  await showLast(mode);
  mode.resume();
};

/** `/clear`. */
export const clearSession = async (mode: Talk): Promise<void> => {
  const { session } = mode.settings;
  if (session.type === "memory") return mode.note("a session that is not kept cannot be left: start kumiko anew");
  await mode.leave();
  const { directory } = session;
  const id = newSessionId(new Date(), (taken) => existsSync(join(directory, `${taken}.db`)));
  mode.settings = {
    ...mode.settings,
    session: { type: "new", id, head: 0, isPaused: false, isWaiting: false, directory },
  };
  mode.spent = nothingSpent;
  mode.note(`a new session; the one before is kept: /resume ${session.id}`);
};

/** `/rewind`: by the command of that name, which asks before it does anything. */
export const rewindSession = async (mode: Talk, argument: string): Promise<void> => {
  const { id, type } = mode.settings.session;
  if (type === "memory") return mode.note("a session that is not kept cannot be rewound");
  if (!mode.hasPlayed && type === "new") return mode.note("nothing has been said yet");
  const [run = "", what = "both"] = argument.split(/\s+/);
  if (!/^\d{0,6}$/.test(run) || !["both", "conversation", "files"].includes(what))
    return mode.note(
      "/rewind lists the runs; /rewind <run> takes one back and all after it; conversation or files may follow",
    );
  await mode.release();
  await mode.face.suspended(async () => {
    const before = process.exitCode;
    const line = {
      session: id,
      to: run === "" ? undefined : Number(run),
      conversation: what === "conversation",
      files: what === "files",
      both: false,
      dryRun: false,
      yes: false,
      force: false,
      hint: "/rewind <n> takes run n and all after it back, after a question; conversation or files may follow",
    };
    await Effect.runPromise(rewind(line)).catch((error: unknown) =>
      process.stderr.write(`kumiko: ${printable(messageOf(error))}\n`),
    );
    process.exitCode = before;
  });
};

const mostShownRuns = 2;
const mostShownLines = 12;

/** Shows the end of a session that is gone on with: what was said last. */
export const showLast = async (mode: Talk): Promise<void> => {
  const { id, directory } = mode.settings.session;
  const records = await Effect.runPromise(
    withSessions(
      Effect.flatMap(Journal, (journal) => journal.read(id)),
      directory,
    ),
  );
  const { runs } = transcriptOf(records);
  const { style } = mode.format;
  const lines = runs.slice(-mostShownRuns).flatMap(({ items, run }) => [
    "",
    style.bold(`> ${oneLine(run.prompt, 500)}`),
    ...items.flatMap((item): ReadonlyArray<string> => {
      if (item.type === "call")
        return [style.dim(`  ${item.tool} ${oneLine(inputLine(item.input), 60)}: ${item.status}`)];
      const text = printable(item.text.trim()).split("\n");
      const hidden = text.length - mostShownLines;
      return [
        ...text.slice(0, mostShownLines).flatMap((line) => proseRows(line, mode.format.columns())),
        ...(hidden > 0 ? [style.dim(`… ${hidden} more lines`)] : []),
      ];
    }),
  ]);
  const before = runs.length - mostShownRuns;
  mode.print([
    style.dim(`Session ${id}${before > 0 ? `, ${before} earlier ${before === 1 ? "run" : "runs"}` : ""}`),
    ...lines,
  ]);
};
