import {
  type AssistantMessage,
  type Decision,
  definePlugin,
  type LanguageModel,
  type Message,
  ModelCallFailed,
  type ModelReply,
  type ModelRequest,
  PermissionGate,
  type ProposedCall,
} from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";

export type Said = string | AssistantMessage | ModelReply | ModelCallFailed;

/** A model that says what it is told to, one reply a call, and keeps the requests it was sent. */
export const scripted = (...replies: ReadonlyArray<Said | ((request: ModelRequest) => Said)>) => {
  const requests: Array<ModelRequest> = [];
  const model: LanguageModel = {
    id: "scripted/test",
    generate: (request, onEvent) =>
      Effect.suspend(() => {
        const scriptedReply = replies[requests.length] ?? "nothing left to say";
        requests.push(request);
        const said = typeof scriptedReply === "function" ? scriptedReply(request) : scriptedReply;
        if (said instanceof ModelCallFailed) return Effect.fail(said);
        if (typeof said !== "string" && "message" in said) return Effect.succeed(said);
        const message: AssistantMessage =
          typeof said === "string" ? { role: "assistant", parts: [{ type: "text", text: said }] } : said;
        message.parts.forEach((part, index) => {
          if (part.type !== "text") return;
          onEvent({ type: "text.start", index });
          for (const word of part.text.split(/(?<= )/)) onEvent({ type: "text.delta", index, text: word });
          onEvent({ type: "text.end", index });
        });
        const hasCalls = message.parts.some(({ type }) => type === "tool-call");
        return Effect.succeed({
          message,
          stopReason: hasCalls ? ("tool-calls" as const) : ("end" as const),
          usage: { inputTokens: 10, outputTokens: 5 },
        });
      }),
  };
  return { model, requests };
};

let calls = 0;
/** A reply that calls tools: `calling(["grep", { pattern: "x" }], …)`. */
export const calling = (...wanted: ReadonlyArray<readonly [name: string, input: unknown]>): AssistantMessage => ({
  role: "assistant",
  parts: wanted.map(([name, input]) => ({
    type: "tool-call" as const,
    id: `call_${calls++}`,
    name,
    input: JSON.parse(JSON.stringify(input)),
  })),
});

/** A failure that no repetition cures. */
export const failing = (detail: string): ModelCallFailed =>
  new ModelCallFailed({ reason: "bad-request", model: "scripted/test", detail });

/** A reply that ends otherwise than one would think. */
export const ending = (text: string, stopReason: ModelReply["stopReason"]): ModelReply => ({
  message: { role: "assistant", parts: [{ type: "text", text }] },
  stopReason,
  usage: { inputTokens: 10, outputTokens: 5 },
});

/** A failure of this kind. */
export const failed = (
  reason: ModelCallFailed["reason"],
  more: Partial<Pick<ModelCallFailed, "retryAfterMillis" | "usage">> = {},
): ModelCallFailed => new ModelCallFailed({ reason, model: "scripted/test", detail: `${reason} of the test`, ...more });

/** A gate that decides by a function; default: allow. */
export const gate = (
  verdictOf: (call: ProposedCall) => Decision["verdict"] | Promise<never> = () => "allow",
  seen: Array<ProposedCall> = [],
) =>
  definePlugin({
    name: "test-gate",
    version: "0.0.0",
    api: 1,
    config: Schema.Struct({}),
    layer: () =>
      Layer.succeed(PermissionGate)({
        decide: (call) =>
          Effect.sync(() => {
            seen.push(call);
            const verdict = verdictOf(call);
            if (typeof verdict !== "string") throw new TypeError("no verdict");
            return {
              verdict,
              layer: "default",
              reason: `the test says ${verdict}`,
              risk: call.risk,
              resources: call.resources,
              effects: [],
            };
          }),
      }),
  })();

/** The results in a request, as `status: text`. */
export const resultsIn = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages.flatMap((message) =>
    message.role === "tool" ? message.parts.map(({ status, text }) => `${status}: ${text}`) : [],
  );
