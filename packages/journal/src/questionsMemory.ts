import { type Answer, type Question, QuestionNotOpen, Questions } from "@kumiko/runtime-api";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { expired } from "./expired.ts";

/** Answers that are remembered, for whoever asks again or answers twice; the oldest are forgotten first. */
const maxSettled = 1000;

interface Open {
  readonly question: Question;
  readonly answer: Deferred.Deferred<Answer>;
}

/** Questions in memory: open ones die with the process. Interrupting `ask` withdraws its question. */
export const questionsMemory: Layer.Layer<Questions> = Layer.sync(Questions, () => {
  const open = new Map<string, Open>();
  const settled = new Map<string, Answer | "withdrawn">();

  const remember = (questionId: string, outcome: Answer | "withdrawn"): void => {
    open.delete(questionId);
    settled.set(questionId, outcome);
    const [oldest] = settled.keys();
    if (settled.size > maxSettled && oldest !== undefined) settled.delete(oldest);
  };
  const answerOf = (questionId: string): Answer | undefined => {
    const outcome = settled.get(questionId);
    return outcome === "withdrawn" ? undefined : outcome;
  };
  const settle = (questionId: string, answer: Answer): Effect.Effect<void> =>
    Effect.suspend(() => {
      const found = open.get(questionId);
      remember(questionId, answer);
      return found === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(found.answer, answer));
    });

  const ask = Effect.fnUntraced(function* (question: Question) {
    const { expiresAt, id } = question;
    const known = answerOf(id);
    if (known !== undefined) return known;
    const answer = open.get(id)?.answer ?? (yield* Deferred.make<Answer>());
    open.set(id, { question, answer });
    const now = yield* Clock.currentTimeMillis;
    const waiting = Deferred.await(answer);
    return yield* Effect.onInterrupt(
      expiresAt === undefined
        ? waiting
        : Effect.raceFirst(
            waiting,
            Effect.delay(Effect.as(settle(id, expired), expired), Math.max(0, expiresAt - now) + 1),
          ),
      () => Effect.sync(() => remember(id, "withdrawn")),
    );
  });

  return Questions.of({
    ask,
    answered: ({ id }) => Effect.sync(() => answerOf(id)),
    answer: (questionId, answer) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const found = open.get(questionId);
        if (found !== undefined && now <= (found.question.expiresAt ?? Number.POSITIVE_INFINITY))
          return settle(questionId, answer);
        const outcome = settled.get(questionId);
        const reason =
          found !== undefined || outcome === expired
            ? "expired"
            : outcome === undefined
              ? "unknown"
              : outcome === "withdrawn"
                ? "withdrawn"
                : "answered";
        return Effect.fail(new QuestionNotOpen({ questionId, reason }));
      }),
    open: Effect.sync(() => [...open.values()].map(({ question }) => question)),
  });
});
