import { Journal, type JournalFailed } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { jsonLine, oneLine, printable } from "../printable.ts";
import { tokenWords } from "../usage/usageWords.ts";
import { findSession, type SessionProblem, withSessions } from "./findSession.ts";
import { type Transcript, type TranscriptItem, transcriptOf } from "./Transcript.ts";
import { when } from "./words.ts";

/** `kumiko sessions export`: to standard output. */
export const exportSession = (line: {
  readonly session: string;
  readonly format: "markdown" | "json" | "jsonl";
}): Effect.Effect<void, SessionProblem> =>
  withSessions(
    Effect.gen(function* (): Effect.fn.Return<void, SessionProblem | JournalFailed, Journal> {
      const id = yield* findSession(line.session);
      const journal = yield* Journal;
      const records = yield* journal.read(id);
      if (line.format === "jsonl") {
        for (const record of records) process.stdout.write(`${jsonLine(record)}\n`);
        return;
      }
      const transcript = transcriptOf(records);
      process.stdout.write(
        line.format === "json" ? `${jsonLine(jsonOf(id, transcript))}\n` : markdownOf(id, transcript),
      );
    }),
  );

const jsonOf = (id: string, { runs, session }: Transcript) => {
  const { messages, runs: _runs, ...about } = session;
  return {
    schemaVersion: 1,
    type: "session",
    sessionKey: id,
    ...about,
    runs: runs.map(({ items, number, run: { calls: _calls, seq: _seq, messagesBefore: _before, ...run } }) => ({
      number,
      ...run,
      items,
    })),
    messages,
  };
};

const markdownOf = (id: string, { runs, session }: Transcript): string => {
  const { cwd, model, startedAt, usage } = session;
  const facts = [
    ...(startedAt === undefined ? [] : [`began ${when(startedAt)}`]),
    ...(cwd === undefined ? [] : [`in ${code(cwd)}`]),
    ...(model === undefined ? [] : [`with ${code(model)}`]),
    tokenWords(usage),
  ];
  const parts = runs.flatMap(({ items, number, run }) => [
    `## ${number}. ${when(run.time)} (${run.status})`,
    quoted(run.prompt),
    ...items.map(markdownOfItem),
  ]);
  return `${[`# Session ${id}`, facts.join(", "), ...parts].join("\n\n")}\n`;
};

const markdownOfItem = (item: TranscriptItem): string => {
  if (item.type === "assistant") return printable(item.text.trimEnd());
  if (item.type === "user") return quoted(item.text.trimEnd());
  const status = item.status === "ok" ? "" : ` — ${item.status}`;
  const input = fenced(typeof item.input === "string" ? item.input : JSON.stringify(item.input, null, 2), "json");
  return [
    `**${oneLine(item.tool, 100)}**${status}`,
    input,
    ...(item.result === "" ? [] : [fenced(item.result, "")]),
  ].join("\n\n");
};

const quoted = (text: string): string =>
  printable(text)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

// A fence that nothing within can close.
const fenced = (text: string, language: string): string => {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${printable(text.trimEnd())}\n${fence}`;
};

const code = (text: string): string => `\`${oneLine(text, 300).replaceAll("`", "'")}\``;
