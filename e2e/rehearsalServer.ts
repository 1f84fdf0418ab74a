import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { rehearsal } from "@kumiko/models";
import {
  isJsonObject,
  type JsonObject,
  type Message,
  type ModelReply,
  type ModelRequest,
  parseToolInput,
} from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";

/**
 * A real HTTP server that speaks Chat Completions and plays the rehearsal's parts: what it is sent is read back into a
 * conversation, what it answers goes over the wire in small pieces.
 */
export const rehearsalServer = async (): Promise<AsyncDisposable & { readonly baseUrl: string }> => {
  const model = rehearsal();
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      void (async () => {
        const asked = requestOf(JSON.parse(Buffer.concat(chunks).toString("utf8")));
        const reply = await Effect.runPromise(model.generate(asked, () => {}));
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const piece of piecesOf(reply)) response.write(piece);
        response.end("data: [DONE]\n\n");
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const textOf = (content: unknown): string => (typeof content === "string" ? content : "");
const listOf = (value: unknown): ReadonlyArray<JsonObject> => (Array.isArray(value) ? value.filter(isJsonObject) : []);

const requestOf = (body: JsonObject): ModelRequest => {
  const names = new Map<string, string>();
  const messages: Array<Message> = [];
  let system = "";
  for (const message of listOf(body["messages"])) {
    const text = textOf(message["content"]);
    if (message["role"] === "system") system = text;
    else if (message["role"] === "user") messages.push({ role: "user", parts: [{ type: "text", text }] });
    else if (message["role"] === "assistant")
      messages.push({
        role: "assistant",
        parts: [
          ...(text === "" ? [] : [{ type: "text" as const, text }]),
          ...listOf(message["tool_calls"]).map((call) => {
            const called = isJsonObject(call["function"]) ? call["function"] : {};
            const id = textOf(call["id"]);
            names.set(id, textOf(called["name"]));
            return {
              type: "tool-call" as const,
              id,
              name: textOf(called["name"]),
              ...parseToolInput(textOf(called["arguments"])),
            };
          }),
        ],
      });
    else {
      const callId = textOf(message["tool_call_id"]);
      const name = names.get(callId) ?? "";
      messages.push({ role: "tool", parts: [{ type: "tool-result", callId, name, status: "ok", text }] });
    }
  }
  const tools = listOf(body["tools"]).map((tool) => {
    const described = isJsonObject(tool["function"]) ? tool["function"] : {};
    return { name: textOf(described["name"]), description: textOf(described["description"]), inputSchema: {} };
  });
  return { system, tools, messages, toolChoice: body["tool_choice"] === "none" ? "none" : "auto" };
};

const piecesOf = ({ message, stopReason, usage }: ModelReply): ReadonlyArray<string> => {
  const piece = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ id: "r", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const pieces: Array<string> = [piece({ role: "assistant", content: "" })];
  let index = 0;
  for (const part of message.parts)
    if (part.type === "text")
      for (const content of part.text.match(/[^]{1,7}/gu) ?? []) pieces.push(piece({ content }));
    else if (part.type === "tool-call") {
      const text = JSON.stringify(part.input);
      pieces.push(
        piece({ tool_calls: [{ index, id: part.id, type: "function", function: { name: part.name, arguments: "" } }] }),
      );
      for (const fragment of text.match(/[^]{1,11}/gu) ?? [])
        pieces.push(piece({ tool_calls: [{ index, function: { arguments: fragment } }] }));
      index++;
    }
  pieces.push(piece({}, stopReason === "tool-calls" ? "tool_calls" : "stop"));
  const counts = { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens };
  return [...pieces, `data: ${JSON.stringify({ choices: [], usage: counts })}\n\n`];
};
