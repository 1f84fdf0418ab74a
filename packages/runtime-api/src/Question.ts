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
  kind: Schema.Literal("approval"),
  /** One sentence: what would happen, and why it is asked. */
  prompt: Schema.String,
  /** The call it is about. */
  callId: Schema.String,
  tool: Schema.String,
  input: Json,
  /** SHA-256 (hex) of the call as asked about: an answer counts for this input only. */
  inputDigest: Schema.String,
  decision: Decision,
});
export type Question = typeof Question.Type;

/** An answer to a question that is not open: never asked, or answered before. */
export class QuestionNotOpen extends Schema.TaggedError<QuestionNotOpen>()("QuestionNotOpen", {
  questionId: Schema.String,
}) {
  override get message(): string {
    return `question ${this.questionId} is not open: it was never asked, or it has been answered`;
  }
}

/**
 * Open questions and their answers.
 *
 * **Contract.** `ask` opens a question and waits for its first answer; interrupting it withdraws the question. A second
 * answer fails with {@link QuestionNotOpen}. `attended` says whether anybody may be there to answer: where it is false,
 * callers do not ask but refuse.
 */
export class Questions extends Context.Service<
  Questions,
  {
    readonly attended: boolean;
    readonly ask: (question: Question) => Effect.Effect<Answer>;
    readonly answer: (questionId: string, answer: Answer) => Effect.Effect<void, QuestionNotOpen>;
    readonly open: Effect.Effect<ReadonlyArray<Question>>;
  }
>()("@kumiko/runtime-api/Questions") {}
