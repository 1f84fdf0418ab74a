import type { LanguageModel, ModelReply } from "@kumiko/plugin-api";
import { noUsage } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";

/** What the conversation says of a command that the user ran. */
export const shellPrompt = (command: string): string => `! ${command}`;

/**
 * Plays a command of the user's own (`!npm test`) as a call of the tool `bash`, so that it takes the one way there is:
 * through the gate, into the audit log and into the conversation. Asks nobody.
 */
export const shellModel = (command: string): LanguageModel => ({
  id: "user/shell",
  prices: { input: 0, output: 0 },
  generate: ({ messages }, onEvent) =>
    Effect.sync((): ModelReply => {
      if (messages.at(-1)?.role === "tool") {
        const text = "(The user ran this command; its result stands above.)";
        onEvent({ type: "text.start", index: 0 });
        onEvent({ type: "text.delta", index: 0, text });
        onEvent({ type: "text.end", index: 0 });
        return { message: { role: "assistant", parts: [{ type: "text", text }] }, stopReason: "end", usage: noUsage };
      }
      const input = { command };
      onEvent({ type: "toolCall.start", index: 0, id: "shell", name: "bash" });
      onEvent({ type: "toolCall.delta", index: 0, text: JSON.stringify(input) });
      onEvent({ type: "toolCall.end", index: 0 });
      return {
        message: { role: "assistant", parts: [{ type: "tool-call", id: "shell", name: "bash", input }] },
        stopReason: "tool-calls",
        usage: noUsage,
      };
    }),
});
