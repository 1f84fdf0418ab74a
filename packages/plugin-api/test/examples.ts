// What the examples in docstrings name.
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { type Decision, definePlugin, type LanguageModel, type ModelRequest, userText } from "../src/index.ts";

const decision = (verdict: Decision["verdict"]): Decision => ({
  verdict,
  layer: "default",
  reason: "an example",
  risk: "read",
  resources: [],
  effects: [],
});
export const ask = decision("ask");
export const deny = decision("deny");
export const allow = decision("allow");

export const myPlugin = definePlugin({ name: "mine", version: "1.0.0", api: 1, config: Schema.Struct({}) });

const request = (tools: ModelRequest["tools"]): ModelRequest => ({
  system: "",
  tools,
  messages: [userText("Hello?")],
  toolChoice: "auto",
});
export const text = request([]);
export const calls = request([{ name: "look", description: "Looks.", inputSchema: { type: "object" } }]);

/** A model that says hello, or looks where it can. */
export const model: LanguageModel = {
  id: "example/model",
  generate: ({ toolChoice, tools }, onEvent) =>
    Effect.sync(() => {
      const usage = { inputTokens: 1, outputTokens: 1 };
      if (tools.length > 0 && toolChoice === "auto") {
        onEvent({ type: "toolCall.start", index: 0, id: "c1", name: "look" });
        onEvent({ type: "toolCall.delta", index: 0, text: "{}" });
        onEvent({ type: "toolCall.end", index: 0 });
        const part = { type: "tool-call", id: "c1", name: "look", input: {} } as const;
        return { message: { role: "assistant", parts: [part] }, stopReason: "tool-calls", usage };
      }
      onEvent({ type: "text.start", index: 0 });
      onEvent({ type: "text.delta", index: 0, text: "Hello." });
      onEvent({ type: "text.end", index: 0 });
      return { message: { role: "assistant", parts: [{ type: "text", text: "Hello." }] }, stopReason: "end", usage };
    }),
};
