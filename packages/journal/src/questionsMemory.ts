import { type Answer, type Question, QuestionNotOpen, Questions } from "@kumiko/runtime-api";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

/**
 * Questions in memory: open ones die with the process.
 *
 * `answer` is called for each question as it opens, on a fiber of its own; without it, questions are answered through
 * the service. `attended` defaults to whether there is an `answer`: a program that answers through the service says so.
 */
export const questionsMemory = (options: {
  readonly answer?: (question: Question) => Effect.Effect<Answer>;
  readonly attended?: boolean;
}): Layer.Layer<Questions> =>
  Layer.sync(Questions, () => {
    const open = new Map<string, { readonly question: Question; readonly answer: Deferred.Deferred<Answer> }>();
    const settle = (questionId: string, answer: Answer): Effect.Effect<void, QuestionNotOpen> =>
      Effect.suspend(() => {
        const found = open.get(questionId);
        if (found === undefined) return Effect.fail(new QuestionNotOpen({ questionId }));
        open.delete(questionId);
        return Effect.asVoid(Deferred.succeed(found.answer, answer));
      });
    const ask = Effect.fnUntraced(function* (question: Question) {
      const answer = yield* Deferred.make<Answer>();
      open.set(question.id, { question, answer });
      const waiting = Deferred.await(answer);
      const both =
        options.answer === undefined
          ? waiting
          : Effect.raceFirst(
              waiting,
              Effect.andThen(
                Effect.flatMap(options.answer(question), (given) => Effect.ignore(settle(question.id, given))),
                Effect.never,
              ),
            );
      return yield* Effect.ensuring(
        both,
        Effect.sync(() => open.delete(question.id)),
      );
    });
    return Questions.of({
      attended: options.attended ?? options.answer !== undefined,
      ask,
      answer: settle,
      open: Effect.sync(() => [...open.values()].map(({ question }) => question)),
    });
  });
