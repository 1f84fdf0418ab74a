import { Decision, Json } from "@kumiko/plugin-api";
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";

/** What somebody said. A reason goes to the model. */
export const Answer = Schema.Union([
  Schema.Struct({ type: Schema.Literal("approve") }),
  Schema.Struct({ type: Schema.Literal("deny"), reason: Schema.optionalKey(Schema.String) }),
]);
export type Answer = typeof Answer.Type;

/** Something only a person may decide. The first answer wins. */
export const Question = Schema.Struct({
  id: Schema.String,
  runId: Schema.String,
  sessionKey: Schema.String,
  /**
   * `approval`: may this call run? `unknown-outcome`: the process died while this call ran, and nobody knows whether it
   * took effect; yes lets the run go on, no ends it.
   */
  kind: Schema.Literals(["approval", "unknown-outcome"]),
  /** One sentence: what would happen, and why it is asked. */
  prompt: Schema.String,
  /** The call it is about. */
  callId: Schema.String,
  tool: Schema.String,
  input: Json,
  /** SHA-256 (hex) of the call as asked about: an answer counts for this input only. */
  inputDigest: Schema.String,
  decision: Decision,
  /** Milliseconds since 1970: from then on it counts as refused. Absent: it waits for ever. */
  expiresAt: Schema.optionalKey(Schema.Finite),
});
export type Question = typeof Question.Type;

/** An answer to a question that is not open. */
export class QuestionNotOpen extends Schema.TaggedError<QuestionNotOpen>()("QuestionNotOpen", {
  questionId: Schema.String,
  reason: Schema.Literals(["unknown", "answered", "expired", "withdrawn"]),
}) {
  override get message(): string {
    return `question ${this.questionId} ${why[this.reason]}`;
  }
}

const why = {
  unknown: "was never asked",
  answered: "has been answered already: the first answer counts",
  expired: "has expired, which counts as a no",
  withdrawn: "is no longer open: the run that asked it is over",
} as const;

/**
 * Open questions and their answers.
 *
 * **Contract.** `ask` opens a question and waits for its first answer; asked again under the same id, it gives that
 * answer at once. A second answer fails with {@link QuestionNotOpen}. A question that expires is answered with a refusal.
 * `questionsConformance` (`@kumiko/journal/testing`) checks this.
 */
export class Questions extends Context.Service<
  Questions,
  {
    readonly ask: (question: Question) => Effect.Effect<Answer>;
    /** The answer there is, without waiting: for whoever asked before. */
    readonly answered: (question: Question) => Effect.Effect<Answer | undefined>;
    readonly answer: (questionId: string, answer: Answer) => Effect.Effect<void, QuestionNotOpen>;
    readonly open: Effect.Effect<ReadonlyArray<Question>>;
  }
>()("@kumiko/runtime-api/Questions") {}
