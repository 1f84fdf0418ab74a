import { type Answer, Journal, type Question, Questions } from "@kumiko/runtime-api";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { equal } from "../internal/equal.ts";

/** How the suite is told of an implementation. */
export interface QuestionsConformanceOptions<E> {
  /** New, empty questions and the journal they belong to, for each test. */
  readonly layer: () => Layer.Layer<Journal | Questions, E>;
  /** The test runner's `it` or `test`. */
  readonly test: (name: string, run: () => Promise<void>) => void;
}

const question = (id: string, more: Partial<Question> = {}): Question => ({
  id,
  runId: "r1",
  sessionKey: "s",
  kind: "approval",
  prompt: "May it?",
  callId: "c1",
  tool: "file_write",
  input: { path: "a" },
  inputDigest: "00",
  decision: { verdict: "ask", layer: "default", reason: "no rule", risk: "local-write", resources: [], effects: [] },
  ...more,
});

const no: Answer = { type: "deny", reason: "not now" };

/**
 * What every {@link Questions} must do, as tests of your test runner.
 *
 * @example
 * ```ts
 * const layer = () => Layer.merge(layerMemory, questionsMemory)
 * describe("questionsMemory", () => questionsConformance({ layer, test: it }))
 * ```
 */
export const questionsConformance = <E>({ layer, test }: QuestionsConformanceOptions<E>): void => {
  const check = (name: string, effect: Effect.Effect<void, unknown, Journal | Questions | Scope.Scope>): void =>
    test(name, () => Effect.runPromise(Effect.scoped(Effect.provide(effect, layer()))));

  // As the loop asks: the question is part of an append, then its answer is waited for.
  const asking = Effect.fnUntraced(function* (asked: Question) {
    const questions = yield* Questions;
    const writer = yield* (yield* Journal).open(asked.sessionKey);
    yield* writer.append([{ actor: "run:r1", kind: "event", body: { type: "question.opened" } }], { asks: asked });
    return { questions, writer, fiber: yield* Effect.forkChild(questions.ask(asked), { startImmediately: true }) };
  });

  check(
    "waits for the first answer and refuses the second",
    Effect.gen(function* () {
      const { fiber, questions } = yield* asking(question("q1"));
      equal("open", yield* questions.open, [question("q1")]);
      equal("nobody answered yet", yield* questions.answered(question("q1")), undefined);
      yield* questions.answer("q1", no);
      equal("the answer", yield* Fiber.join(fiber), no);
      equal("the second", (yield* Effect.flip(questions.answer("q1", { type: "approve" }))).reason, "answered");
      equal("open afterwards", yield* questions.open, []);
    }),
  );

  check(
    "gives the same answer to whoever asks again",
    Effect.gen(function* () {
      const { fiber, questions } = yield* asking(question("q1"));
      yield* questions.answer("q1", no);
      yield* Fiber.join(fiber);
      equal("asked again", yield* questions.ask(question("q1")), no);
      equal("without waiting", yield* questions.answered(question("q1")), no);
    }),
  );

  check(
    "counts one of many answers that come at once",
    Effect.gen(function* () {
      const { fiber, questions } = yield* asking(question("q1"));
      const answers = Array.from({ length: 20 }, (_, n): Answer => ({ type: "deny", reason: String(n) }));
      const outcomes = yield* Effect.forEach(
        answers,
        (answer) =>
          Effect.match(questions.answer("q1", answer), { onSuccess: () => answer, onFailure: () => undefined }),
        { concurrency: "unbounded" },
      );
      const counted = outcomes.filter((outcome) => outcome !== undefined);
      equal("accepted", counted.length, 1);
      equal("and it is what the asker hears", yield* Fiber.join(fiber), counted[0]);
    }),
  );

  check(
    "takes an expired question for refused, and says so to whoever answers",
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis;
      const { fiber, questions } = yield* asking(question("q1", { expiresAt: now + 50 }));
      equal("the asker hears", (yield* Fiber.join(fiber)).type, "deny");
      equal("too late", (yield* Effect.flip(questions.answer("q1", { type: "approve" }))).reason, "expired");
      equal("open", yield* questions.open, []);
    }),
  );

  check(
    "knows no answer to what was never asked",
    Effect.gen(function* () {
      const questions = yield* Questions;
      equal("reason", (yield* Effect.flip(questions.answer("nothing", no))).reason, "unknown");
      equal("open", yield* questions.open, []);
    }),
  );

  check(
    "withdraws what nobody waits for any more",
    Effect.gen(function* () {
      const { fiber, questions, writer } = yield* asking(question("q1"));
      yield* writer.append([], { endsQuestionsOf: "r1" });
      yield* Fiber.interrupt(fiber);
      equal("open", yield* questions.open, []);
      equal("reason", (yield* Effect.flip(questions.answer("q1", no))).reason, "withdrawn");
    }),
  );
};
