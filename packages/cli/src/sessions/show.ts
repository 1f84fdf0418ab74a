import { sessionFiles } from "@kumiko/journal/sqlite";
import { Journal, type JournalFailed, type Question } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { oneLine, printable } from "../printable.ts";
import { sessionsFolder } from "../stateFolder.ts";
import { costIn, sumOf } from "../usage/Tally.ts";
import { costWords, tokenWords } from "../usage/usageWords.ts";
import { findSession, type SessionProblem, withSessions } from "./findSession.ts";
import { type ListedSession, summaryOf } from "./SessionIndex.ts";
import { type Transcript, type TranscriptItem, transcriptOf } from "./Transcript.ts";
import { inputLine, standing, when } from "./words.ts";

/** `kumiko sessions show`: a transcript for people. */
export const show = (given: string): Effect.Effect<void, SessionProblem> =>
  withSessions(
    Effect.gen(function* (): Effect.fn.Return<void, SessionProblem | JournalFailed, Journal> {
      const id = yield* findSession(given);
      const journal = yield* Journal;
      const transcript = transcriptOf(yield* journal.read(id));
      const summary = yield* summaryOf(sessionsFolder(), id);
      const questions = yield* sessionFiles({ directory: sessionsFolder() }).questions(id);
      process.stdout.write(`${linesOf(id, transcript, summary, questions).join("\n")}\n`);
    }),
  );

const linesOf = (
  id: string,
  { runs, session }: Transcript,
  summary: ListedSession | undefined,
  questions: ReadonlyArray<Question>,
): ReadonlyArray<string> => {
  const { cwd, model, startedAt, usage } = session;
  return [
    `Session ${id}: ${summary === undefined ? "" : standing(summary)}`,
    ...(startedAt === undefined ? [] : [`Began ${when(startedAt)}`]),
    ...(cwd === undefined ? [] : [`Works in ${printable(cwd)}, with ${oneLine(model ?? "?", 100)}`]),
    [tokenWords(usage), ...costs(summary)].join(", "),
    ...runs.flatMap(({ items, number, run }) => [
      "",
      `${number}. ${when(run.time)}  ${[run.status, ...known(costWords(run))].join(", ")}`,
      ...indented(run.prompt, "> "),
      ...items.flatMap(linesOfItem),
    ]),
    ...questions.flatMap(({ prompt }) => [
      "",
      `It waits for an answer: ${oneLine(prompt, 1_000)}`,
      `kumiko answer ${id} shows what would run; kumiko answer ${id} yes (or no) answers`,
    ]),
  ];
};

const costs = (summary: ListedSession | undefined): ReadonlyArray<string> =>
  known(costWords(costIn(sumOf((summary?.usage ?? []).map(({ tally }) => tally)))));

const known = (words: string | undefined): ReadonlyArray<string> => (words === undefined ? [] : [words]);

const linesOfItem = (item: TranscriptItem): ReadonlyArray<string> => {
  if (item.type === "assistant") return indented(item.text.trimEnd(), "  ");
  if (item.type === "user") return indented(item.text.trimEnd(), "  > ");
  const mark = item.status === "ok" ? "✓" : item.status === "open" ? "…" : "✗";
  const status = item.status === "ok" ? "" : ` ${item.status === "open" ? "has no result yet" : item.status}`;
  const gave = item.result.trim() === "" ? "" : `: ${oneLine(item.result, 120)}`;
  return [`  ${mark} ${oneLine(`${item.tool} ${inputLine(item.input)}`, 160)}${status}${gave}`];
};

const indented = (text: string, mark: string): ReadonlyArray<string> =>
  printable(text)
    .split("\n")
    .map((line) => `${mark}${line}`);
