import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { AssistantMessage, toolCallsOf } from "../Message.ts";
import {
  type LanguageModel,
  type ModelCallFailed,
  type ModelEvent,
  type ModelFailureReason,
  type ModelReply,
  type ModelRequest,
  StopReason,
  Usage,
} from "../Model.ts";
import { type ConformanceCheck, conformanceCheck } from "./ConformanceCheck.ts";
import { eventProblem } from "./eventProblem.ts";

/** What the suite needs to check a model: requests whose answers have a known kind. */
export interface LanguageModelConformanceOptions {
  readonly model: LanguageModel;
  /** Is answered with text and no calls. */
  readonly text: ModelRequest;
  /** Is answered with at least one call; has tools. */
  readonly calls: ModelRequest;
  /** A call that fails, where the model can fail: its reason, and texts that the failure must not hold. */
  readonly failing?: {
    readonly model: LanguageModel;
    readonly request: ModelRequest;
    readonly reason: ModelFailureReason;
    readonly secrets?: ReadonlyArray<string>;
  };
  /** A call that does not end by itself after its first event, and whether what it held has been freed since. */
  readonly endless?: {
    readonly model: LanguageModel;
    readonly request: ModelRequest;
    readonly isFreed: Effect.Effect<boolean>;
  };
}

interface Answer {
  readonly reply: ModelReply;
  readonly events: ReadonlyArray<ModelEvent>;
}

const ask = (model: LanguageModel, request: ModelRequest): Effect.Effect<Answer, ModelCallFailed> =>
  Effect.suspend(() => {
    const events: Array<ModelEvent> = [];
    return Effect.map(
      model.generate(request, (event) => events.push(event)),
      (reply) => ({ reply, events }),
    );
  });

/** What a check may take at most, so that a model that hangs fails it instead of the run. */
const patience = "10 seconds";

/** The checks of the {@link LanguageModel} contract; register them with `registerConformance`. */
export const languageModelConformance = (options: LanguageModelConformanceOptions): ReadonlyArray<ConformanceCheck> => {
  const { model, text, calls, failing, endless } = options;
  return [
    conformanceCheck("has an id of the form provider/name", (expect) =>
      expect(/^[^/\s]+\/\S+$/.test(model.id), `its id is ${JSON.stringify(model.id)}`),
    ),
    answerCheck("streams text that equals the message", model, text, ({ reply, events }) => {
      if (toolCallsOf(reply.message).length > 0) return "the answer makes calls";
      return reply.message.parts.some((part) => part.type === "text")
        ? eventProblem(events, reply.message)
        : "the answer has no text";
    }),
    answerCheck("streams calls that equal the message", model, calls, ({ reply, events }) => {
      const made = toolCallsOf(reply.message);
      if (made.length === 0) return "the answer makes no calls";
      if (reply.stopReason !== "tool-calls") return `the stop reason is ${reply.stopReason}`;
      if (made.some(({ id }) => id === "") || new Set(made.map(({ id }) => id)).size < made.length)
        return "ids of calls are empty or not unique";
      return eventProblem(events, reply.message);
    }),
    answerCheck("makes no calls under tool choice none", model, { ...calls, toolChoice: "none" }, (answer) => {
      const { message, stopReason } = answer.reply;
      if (toolCallsOf(message).length > 0 || stopReason === "tool-calls") return "the answer makes calls";
      return eventProblem(answer.events, message);
    }),
    answerCheck("replies in the data of the contract", model, calls, ({ reply }) => {
      const copy: unknown = JSON.parse(JSON.stringify(reply));
      const decoded = Schema.decodeUnknownResult(Reply)(copy);
      if (Result.isFailure(decoded)) return decoded.failure.message;
      return Object.values(reply.usage).every((count) => count >= 0) ? undefined : "the usage has a negative count";
    }),
    conformanceCheck("leaves the request as it was and answers it again", (expect) =>
      Effect.gen(function* () {
        const frozen = freeze(text);
        for (const turn of ["first", "second"]) {
          const result = yield* Effect.result(Effect.timeoutOption(ask(model, frozen), patience));
          yield* expect(Result.isSuccess(result), `the ${turn} call of a frozen request failed`);
        }
      }),
    ),
    ...(failing === undefined ? [] : [failureCheck(failing)]),
    ...(endless === undefined ? [] : [interruptionCheck(endless)]),
  ];
};

const Reply = Schema.Struct({ message: AssistantMessage, stopReason: StopReason, usage: Usage });

const answerCheck = (
  name: string,
  model: LanguageModel,
  request: ModelRequest,
  problemOf: (answer: Answer) => string | undefined,
): ConformanceCheck =>
  conformanceCheck(name, (expect) =>
    Effect.gen(function* () {
      const result = yield* Effect.result(ask(model, request).pipe(Effect.timeoutOption(patience)));
      if (Result.isFailure(result)) return yield* expect(false, result.failure.message);
      const answer = result.success;
      if (answer._tag === "None") return yield* expect(false, `no answer within ${patience}`);
      const count = answer.value.events.length;
      const problem = problemOf(answer.value);
      yield* expect(problem === undefined, problem ?? "");
      yield* Effect.sleep("5 millis");
      return yield* expect(answer.value.events.length === count, "events came after the reply");
    }),
  );

const failureCheck = ({
  model,
  request,
  reason,
  secrets = [],
}: NonNullable<LanguageModelConformanceOptions["failing"]>): ConformanceCheck =>
  conformanceCheck("fails with a reason and without secrets", (expect) =>
    Effect.gen(function* () {
      const result = yield* Effect.result(ask(model, request));
      if (Result.isSuccess(result)) return yield* expect(false, "the call succeeded");
      const failure = result.failure;
      yield* expect(failure._tag === "ModelCallFailed", `the failure is a ${failure._tag}`);
      yield* expect(failure.reason === reason, `the reason is ${failure.reason}: ${failure.detail}`);
      yield* expect(failure.model === model.id, `the failure names the model ${failure.model}`);
      yield* expect(failure.detail !== "", "the failure has no detail");
      const told = `${failure.message} ${JSON.stringify(failure)}`;
      return yield* expect(!secrets.some((secret) => told.includes(secret)), "the failure holds a secret");
    }),
  );

const interruptionCheck = ({
  model,
  request,
  isFreed,
}: NonNullable<LanguageModelConformanceOptions["endless"]>): ConformanceCheck =>
  conformanceCheck("ends the call and frees what it held when interrupted", (expect) =>
    Effect.gen(function* () {
      const spoken = yield* Deferred.make<void>();
      let events = 0;
      const fiber = yield* Effect.forkChild(
        model.generate(request, () => {
          events++;
          Deferred.doneUnsafe(spoken, Effect.void);
        }),
      );
      const first = yield* Effect.timeoutOption(Deferred.await(spoken), patience);
      yield* expect(first._tag === "Some", "the call gave no event");
      const ended = yield* Effect.timeoutOption(Fiber.interrupt(fiber), patience);
      yield* expect(ended._tag === "Some", "the call cannot be interrupted");
      const exit = yield* Fiber.await(fiber);
      yield* expect(Exit.isFailure(exit), "the interrupted call succeeded");
      const count = events;
      const freed = yield* Effect.sleep("5 millis").pipe(
        Effect.andThen(isFreed),
        Effect.repeat({ until: (is) => is }),
        Effect.timeoutOption(patience),
      );
      yield* expect(freed._tag === "Some", "what the call held was not freed");
      yield* expect(events === count, "events came after the interruption");
    }),
  );

const freeze = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const field of Object.values(value)) freeze(field);
  }
  return value;
};
