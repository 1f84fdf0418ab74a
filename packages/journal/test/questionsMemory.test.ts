import { assert, describe, it } from "@effect/vitest";
import { type Question, Questions } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { questionsMemory } from "../src/index.ts";

const question: Question = {
  id: "q1",
  runId: "r1",
  sessionKey: "s",
  kind: "approval",
  prompt: "May it?",
  callId: "c1",
  tool: "file_write",
  input: { path: "a" },
  inputDigest: "00",
  decision: { verdict: "ask", layer: "default", reason: "no rule", risk: "local-write", resources: [], effects: [] },
};

describe("questionsMemory", () => {
  it.effect("waits for the first answer and refuses the second", () =>
    Effect.gen(function* () {
      const questions = yield* Questions;
      const asking = yield* Effect.forkChild(questions.ask(question), { startImmediately: true });
      assert.deepStrictEqual(yield* questions.open, [question]);
      yield* questions.answer("q1", { type: "deny", reason: "not now" });
      assert.deepStrictEqual(yield* Fiber.join(asking), { type: "deny", reason: "not now" });
      const late = yield* Effect.flip(questions.answer("q1", { type: "approve" }));
      assert.strictEqual(late.questionId, "q1");
      assert.deepStrictEqual(yield* questions.open, []);
    }).pipe(Effect.provide(questionsMemory({ attended: true }))),
  );

  it.effect("puts each question to the function it was given", () =>
    Effect.gen(function* () {
      const questions = yield* Questions;
      assert.isTrue(questions.attended);
      assert.deepStrictEqual(yield* questions.ask(question), { type: "approve" });
    }).pipe(Effect.provide(questionsMemory({ answer: () => Effect.succeed({ type: "approve" }) }))),
  );

  it.effect("withdraws a question whose asker is interrupted", () =>
    Effect.gen(function* () {
      const questions = yield* Questions;
      const asking = yield* Effect.forkChild(questions.ask(question), { startImmediately: true });
      yield* Fiber.interrupt(asking);
      assert.deepStrictEqual(yield* questions.open, []);
      yield* Effect.flip(questions.answer("q1", { type: "approve" }));
    }).pipe(Effect.provide(questionsMemory({ attended: true }))),
  );

  it.effect("is unattended when nobody can answer", () =>
    Effect.gen(function* () {
      assert.isFalse((yield* Questions).attended);
    }).pipe(Effect.provide(questionsMemory({}))),
  );
});
