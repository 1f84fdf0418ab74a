import { sessionFiles } from "@kumiko/journal/sqlite";
import { type Answer, type Journal, type JournalFailed, type Question, Questions } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { notForAgents } from "../notForAgents.ts";
import { oneLine } from "../printable.ts";
import { questionLines, wrapped } from "../questionLines.ts";
import { sessionsFolder } from "../stateFolder.ts";
import { findSession, type SessionProblem, withSessions } from "./findSession.ts";

export interface AnswerLine {
  readonly session: string;
  /** A question (its number or its id), then yes or no, then a reason; all of it may be missing. */
  readonly words: ReadonlyArray<string>;
  readonly json: boolean;
}

/** `kumiko answer`: shows the open questions of a session, or answers one. */
export const answer = (line: AnswerLine): Effect.Effect<void, SessionProblem> => withSessions(answerIn(line));

const answerIn = Effect.fnUntraced(function* ({
  json,
  session,
  words,
}: AnswerLine): Effect.fn.Return<void, SessionProblem | JournalFailed, Journal | Questions> {
  const id = yield* findSession(session);
  const files = sessionFiles({ directory: sessionsFolder() });
  const open = yield* files.questions(id);
  const [first, second] = words;
  if (first === undefined) return show(id, open, json);
  yield* notForAgents("answering a question");
  const verdict = verdictOf(first);
  const said = verdict ?? (second === undefined ? undefined : verdictOf(second));
  if (said === undefined)
    return yield* bad(
      `an answer is yes or no, a reason may follow it: kumiko answer ${id} no "not on a Friday". ${second === undefined ? "" : "A question before it says which one is meant. "}Without an answer the open questions are shown`,
    );
  const question = verdict === undefined ? meant(first, open) : yield* theOnly(id, open);
  const reason = words
    .slice(verdict === undefined ? 2 : 1)
    .join(" ")
    .trim();
  const given: Answer = said === "yes" ? { type: "approve" } : { type: "deny", ...(reason === "" ? {} : { reason }) };
  // Before: whoever waits for the answer may be done with everything a moment after it.
  const isInUse = yield* files.isInUse(id);
  const questions = yield* Questions;
  yield* Effect.mapError(
    questions.answer(question, given),
    (error) => new BadInput({ detail: `${oneLine(error.message, 300)}. ${stateOf(id, open)}` }),
  );
  const rest = open.length - 1;
  print(
    json
      ? JSON.stringify({ sessionKey: id, questionId: question, answer: given, isInUse })
      : `${said === "yes" ? "Approved" : "Refused"}. ${
          isInUse
            ? `A process has session ${id} open: it goes on there.`
            : rest > 0
              ? `Session ${id} has ${rest === 1 ? "another open question" : `${rest} more open questions`}: kumiko answer ${id}`
              : `kumiko --resume ${id} goes on.`
        }`,
  );
});

const bad = (detail: string): Effect.Effect<never, BadInput> => Effect.fail(new BadInput({ detail }));

const verdictOf = (word: string): "yes" | "no" | undefined =>
  /^y(es)?$/i.test(word) ? "yes" : /^no?$/i.test(word) ? "no" : undefined;

// A number is the place in the list; what is no open question is left to the journal to judge.
const meant = (word: string, open: ReadonlyArray<Question>): string => {
  const numbered = /^\d{1,3}$/.test(word) ? open[Number(word) - 1] : undefined;
  const [like, ...others] = open.filter(({ id }) => id.startsWith(word) && word !== "");
  return numbered?.id ?? (like !== undefined && others.length === 0 ? like.id : word);
};

const theOnly = (id: string, open: ReadonlyArray<Question>): Effect.Effect<string, BadInput> => {
  const [only, ...others] = open;
  if (only === undefined) return bad(stateOf(id, open));
  return others.length === 0
    ? Effect.succeed(only.id)
    : bad(`session ${id} has ${open.length} open questions; say which one: kumiko answer ${id} 1 yes`);
};

const stateOf = (id: string, open: ReadonlyArray<Question>): string =>
  open.length === 0
    ? `session ${id} has no open question (it was answered, it expired, or none was asked); kumiko sessions show ${id} tells how it stands`
    : `kumiko answer ${id} shows the open questions`;

const show = (id: string, open: ReadonlyArray<Question>, json: boolean): void => {
  if (json) return print(JSON.stringify({ sessionKey: id, questions: open }));
  if (open.length === 0) return print(`Session ${id} has no open question.`);
  const width = Math.max(process.stdout.columns || 80, 20);
  open.forEach((question, index) => {
    const { decision, expiresAt, prompt } = question;
    const expiry = expiresAt === undefined ? "" : `, until ${new Date(expiresAt).toLocaleString()}`;
    print(wrapped(`${index + 1}. ${prompt}`, width).join("\n"));
    process.stdout.write(questionLines(question, width).join(""));
    print(
      wrapped(`   ${decision.verdict}, decided by ${decision.layer}: ${decision.reason}${expiry}`, width).join("\n"),
    );
  });
  print(`\nkumiko answer ${id} ${open.length === 1 ? "" : "1 "}yes, or: no "because …"`);
};

const print = (text: string): void => void process.stdout.write(`${text}\n`);
