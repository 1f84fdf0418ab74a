import { Answer, Question, QuestionNotOpen, Questions } from "@kumiko/runtime-api";
import { DatabaseFailed } from "@kumiko/sqlite";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { expired } from "../expired.ts";
import type { SessionFile } from "./SessionFile.node.ts";
import type { SessionFolder } from "./SessionFolder.node.ts";
import { versionOf, waitForChange } from "./waitForChange.node.ts";

const decodeAnswer = Schema.decodeUnknownSync(Schema.fromJsonString(Answer));
const decodeQuestion = Schema.decodeUnknownOption(Schema.fromJsonString(Question));

/** Questions that lie in their session's file. What cannot be read or written there is a defect: the run's journal is gone. */
export const makeQuestions = (folder: SessionFolder): Questions["Service"] => {
  // Within a process the asker hears of an answer at once.
  const waiting = new Map<string, () => void>();

  const find = ({ id, sessionKey }: Question) => folder.using(sessionKey, "read", (file) => file.question(id));
  const answered = (question: Question, now: number): Answer | undefined => {
    const found = find(question);
    if (found === undefined) return undefined;
    if (found.answer !== null) return decodeAnswer(found.answer);
    return now > found.expiresAt ? expired : undefined;
  };

  const ask = Effect.fnUntraced(function* (question: Question) {
    folder.opened(question.sessionKey)?.fileForWriting().addQuestion(question);
    for (;;) {
      const since = versionOf(folder, question.sessionKey);
      const now = yield* Clock.currentTimeMillis;
      const answer = answered(question, now);
      if (answer !== undefined) return answer;
      const told = Effect.callback<void>((resume) => {
        waiting.set(question.id, () => resume(Effect.void));
        return Effect.sync(() => waiting.delete(question.id));
      });
      const changed = Effect.raceFirst(told, waitForChange(folder, question.sessionKey, since, true));
      // As it was asked first: to ask again gives no more time.
      const expiresAt = find(question)?.expiresAt ?? Number.POSITIVE_INFINITY;
      yield* Number.isFinite(expiresAt)
        ? Effect.raceFirst(changed, Effect.sleep(Math.max(0, expiresAt - now) + 1))
        : changed;
    }
  });

  const answer = Effect.fnUntraced(function* (questionId: string, given: Answer) {
    const now = yield* Clock.currentTimeMillis;
    const text = JSON.stringify(given);
    let reason: QuestionNotOpen["reason"] = "unknown";
    for (const streamId of folder.streams().toReversed()) {
      const outcome = usable(() => folder.using(streamId, "write", (file) => settle(file, questionId, text, now)));
      if (outcome === "counts") {
        waiting.get(questionId)?.();
        return;
      }
      if (outcome !== undefined && outcome !== "unknown") {
        reason = outcome;
        break;
      }
    }
    return yield* new QuestionNotOpen({ questionId, reason });
  });

  return Questions.of({
    ask,
    answered: (question) => Effect.map(Clock.currentTimeMillis, (now) => answered(question, now)),
    answer,
    open: Effect.map(Clock.currentTimeMillis, (now) =>
      folder.streams().flatMap((streamId) =>
        (readable(() => folder.using(streamId, "read", (file) => file.openQuestions(now))) ?? []).flatMap((body) => {
          const decoded = decodeQuestion(body);
          return decoded._tag === "Some" ? [decoded.value] : [];
        }),
      ),
    ),
  });
};

const settle = (
  file: SessionFile,
  questionId: string,
  answer: string,
  now: number,
): QuestionNotOpen["reason"] | "counts" => {
  if (file.answer(questionId, answer, now)) return "counts";
  const found = file.question(questionId);
  if (found === undefined) return "unknown";
  if (found.answer !== null) return "answered";
  return found.isWithdrawn ? "withdrawn" : "expired";
};

// Nor may it keep another from being answered; that the disk is full, say, is no such thing.
const usable = <A>(use: () => A): A | undefined => {
  try {
    return use();
  } catch (error) {
    const isNoSession = error instanceof DatabaseFailed && ["corrupt", "foreign", "newer"].includes(error.reason);
    if (isNoSession) return undefined;
    throw error;
  }
};

// One damaged session must not hide the questions of all others.
const readable = <A>(read: () => A): A | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};
