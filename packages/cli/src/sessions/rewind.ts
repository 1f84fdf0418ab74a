import { describeSession } from "@kumiko/core-loop";
import { previewRestore, restoreFiles } from "@kumiko/local-tools";
import { Journal, type JournalFailed, type JournalRecord } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { exitCodes } from "../exitCodes.ts";
import { oneLine } from "../printable.ts";
import { SessionInUse } from "../SessionInUse.ts";
import { sessionsFolder } from "../stateFolder.ts";
import { confirm } from "./confirm.ts";
import { findSession, type SessionProblem, withSessions } from "./findSession.ts";
import { previewLines, restoredLines } from "./rewindLines.ts";
import { filesOf, type Rewind, rewindOf } from "./rewindOf.ts";
import { summaryOf } from "./SessionIndex.ts";
import { when } from "./words.ts";

export interface RewindLine {
  readonly session: string;
  readonly to: number | undefined;
  readonly conversation: boolean;
  readonly files: boolean;
  readonly both: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly force: boolean;
  /** What is said below a list of the runs. Default: how to go on at a shell. */
  readonly hint?: string;
}

const hintOf = (id: string): string =>
  `kumiko rewind ${id} --to <n> takes run n and all after it back; --dry-run says what that would do`;

/** `kumiko rewind`: lists the runs, says what taking some back would do, and does it. */
export const rewind = (line: RewindLine): Effect.Effect<void, SessionProblem> =>
  withSessions(
    Effect.gen(function* (): Effect.fn.Return<void, SessionProblem | JournalFailed, Journal> {
      if ([line.conversation, line.files, line.both].filter(Boolean).length > 1)
        return yield* bad("--conversation, --files and --both exclude one another; give one of them");
      const id = yield* findSession(line.session);
      const journal = yield* Journal;
      const { to } = line;
      if (to === undefined) return listRuns(id, yield* journal.read(id), line.hint ?? hintOf(id));
      if (line.dryRun)
        return show(id, yield* planned(id, to, yield* journal.read(id)), line, yield* previewed(id, to, line));
      if ((yield* summaryOf(sessionsFolder(), id))?.isInUse === true) return yield* new SessionInUse({ id });
      yield* Effect.scoped(takeBack(id, to, line));
    }),
  );

const bad = (detail: string): Effect.Effect<never, BadInput> => Effect.fail(new BadInput({ detail }));

const listRuns = (id: string, records: ReadonlyArray<JournalRecord>, hint: string): void => {
  const { runs } = describeSession(records);
  runs.forEach(({ calls, prompt, status, time }, index) => {
    const changed = new Set(calls.flatMap(({ changes }) => changes.map(({ path }) => path))).size;
    const files = changed === 0 ? "" : `, ${changed === 1 ? "a file" : `${changed} files`} changed`;
    print(`${String(index + 1).padStart(3)}. ${when(time)}  ${status}${files}  ${oneLine(prompt, 80)}`);
  });
  print(runs.length === 0 ? `Session ${id} has no runs.` : `\n${hint}`);
};

const planned = (id: string, to: number, records: ReadonlyArray<JournalRecord>): Effect.Effect<Rewind, BadInput> => {
  const found = rewindOf(records, to);
  return found === undefined
    ? bad(`session ${id} has no run ${to}; kumiko rewind ${id} lists them`)
    : Effect.succeed(found);
};

const previewed = Effect.fnUntraced(function* (
  id: string,
  to: number,
  line: RewindLine,
): Effect.fn.Return<Awaited<ReturnType<typeof previewRestore>>, BadInput | JournalFailed, Journal> {
  if (line.conversation) return [];
  const journal = yield* Journal;
  const { plan } = yield* planned(id, to, yield* journal.read(id));
  const files = yield* filesOf(id, plan);
  return yield* Effect.promise(() => previewRestore(files, { force: line.force }));
});

const show = (id: string, found: Rewind, line: RewindLine, preview: Awaited<ReturnType<typeof previewRestore>>): void =>
  print(previewLines(id, found, line, preview).join("\n"));

// Under the lock of the session's writer: nobody goes on with what is being taken back.
const takeBack = Effect.fnUntraced(function* (id: string, to: number, line: RewindLine) {
  const journal = yield* Journal;
  const writer = yield* journal.open(id);
  const found = yield* planned(id, to, yield* journal.read(id));
  if (!line.files && found.ends === undefined)
    return yield* bad(
      `session ${id} has messages in line behind a run that is not over; kumiko --resume ${id} goes on with them, or take back files only: --files`,
    );
  show(id, found, line, yield* previewed(id, to, line));
  if (!(yield* confirm("Take this back?", line.yes))) {
    process.stderr.write("Nothing was taken back.\n");
    return;
  }
  // Files first: whoever is interrupted here asks for the same again, and what is done is found done.
  if (!line.conversation) {
    const files = yield* filesOf(id, found.plan);
    const restored = yield* Effect.promise(() => restoreFiles(files, { force: line.force }));
    print(restoredLines(restored, found.cwd).join("\n"));
    if (restored.some(({ outcome }) => outcome === "conflict" || outcome === "failed")) {
      process.exitCode = exitCodes.error;
      // A run that is taken back is no longer there to put its files back by.
      if (!line.files)
        return print(
          "The conversation stays, so that this can be done again: with --force, or --conversation for that alone.",
        );
    }
  }
  if (!line.files) {
    for (const { entry, runId } of found.ends ?? []) yield* writer.append([entry], { endsQuestionsOf: runId });
    yield* writer.append(found.plan.entries, { flush: true });
    print(`Session ${id} ends before run ${to} now.`);
  }
});

const print = (text: string): void => {
  if (text !== "") process.stdout.write(`${text}\n`);
};
