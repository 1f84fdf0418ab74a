import type { RunOutcome } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import type { Settings } from "./checkCommandLine.ts";
import { endLine, flagLines } from "./endLine.ts";
import { failureHelp } from "./failureHelp.ts";
import type { EndedRun, RunView } from "./RunView.ts";
import { canGoOn } from "./sessions/goOnPrompt.ts";
import { costIn, noTally, sumOf, type Tally } from "./usage/Tally.ts";
import { costWords, durationWords, tokenWords } from "./usage/usageWords.ts";

/** What is said on standard error when all has run: how it ended, what helps, and how to go on. */
export const endingOf = Effect.fnUntraced(function* (
  { failure, outcome, questions }: EndedRun,
  { model, prompt, session: { id, type } }: Pick<Settings, "model" | "prompt" | "session">,
  isBeforePrompt: boolean,
): Effect.fn.Return<ReadonlyArray<string>> {
  const { status } = outcome;
  const question = questions.at(-1);
  if (status === "suspended" && question !== undefined)
    return [
      `the run waits for an answer: ${question.prompt}`,
      `kumiko answer ${id} shows what would run; kumiko answer ${id} yes (or no) answers; kumiko --resume ${id} goes on`,
      ...(isBeforePrompt && prompt !== undefined ? ["your prompt was not given to it yet: give it again then"] : []),
    ];
  const line = isBeforePrompt ? undefined : endLine(outcome);
  const help = failure === undefined ? undefined : yield* failureHelp(failure);
  return [
    ...(line === undefined ? [] : [line]),
    ...(help === undefined ? [] : [help]),
    ...(isBeforePrompt ? [] : flagLines(outcome)),
    ...(type === "memory" ? [] : hints(id, status, model)),
  ];
});

// Where the run did not do its job, there is something to come back to. A failure is told to whoever reads a log too.
// Its model is not the session's: whoever resumes names it again, or another one.
const hints = (id: string, status: RunOutcome["status"], model: string | undefined): ReadonlyArray<string> => {
  if (status === "done" || (status !== "failed" && !process.stderr.isTTY)) return [];
  const command = `kumiko --resume ${id}${model === undefined ? "" : ` --model ${model}`}`;
  const goesOn = `session ${id}: ${command}${canGoOn(status) ? "" : ' -p "…"'} goes on from here`;
  return [status === "failed" ? `${goesOn}, or with another --model` : goesOn];
};

/** `3 turns, 12,345 tokens in (10,000 cached), 678 out, $0.0123, 12 s`, of all that ran; undefined: no model was asked. */
export const spentLine = ({ ended }: RunView, durationMillis: number): string | undefined => {
  const turns = ended.reduce((sum, { outcome }) => sum + outcome.iterations, 0);
  const total = sumOf(ended.map(({ outcome }) => tallyOfOutcome(outcome)));
  if (total.usage.inputTokens + total.usage.outputTokens === 0) return undefined;
  const cost = costWords(costIn(total));
  return [
    `${turns} turn${turns === 1 ? "" : "s"}`,
    tokenWords(total.usage),
    ...(cost === undefined ? [] : [cost]),
    durationWords(durationMillis),
  ].join(", ");
};

const tallyOfOutcome = ({ costIsPartial, costUsd, usage }: RunOutcome): Tally => ({
  ...noTally,
  usage,
  costUsd: costUsd ?? 0,
  pricedCalls: costUsd === undefined ? 0 : 1,
  unpricedCalls: costIsPartial === true || (costUsd === undefined && usage.inputTokens > 0) ? 1 : 0,
});
