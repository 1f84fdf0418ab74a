// One conversation with everything a request may hold: what each wire format's body is checked with.
import type { Message, ModelRequest, ToolSpec } from "@kumiko/plugin-api";

const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;

export const tools: ReadonlyArray<ToolSpec> = [
  {
    name: "grep",
    description: "Searches.",
    inputSchema: { type: "object", properties: { pattern: { type: "string" } }, required: ["pattern"] },
  },
];

/** Reasoning of `model` in every format, and of another. */
export const conversation = (model: string): ReadonlyArray<Message> => [
  {
    role: "user",
    parts: [{ type: "text", text: "see “x” \ud83d\ude00" }, image],
  },
  {
    role: "assistant",
    parts: [
      {
        type: "reasoning",
        text: "own",
        providerData: {
          anthropic: { signature: "sig", model },
        },
      },
      { type: "reasoning", text: "", providerData: { anthropic: { redacted: "secret", model } } },
      { type: "reasoning", text: "own", providerData: { responses: { id: "rs_1", encrypted_content: "enc", model } } },
      { type: "reasoning", text: "other's", providerData: { anthropic: { signature: "sig", model: "other" } } },
      {
        type: "reasoning",
        text: "other's",
        providerData: { responses: { id: "rs", encrypted_content: "e", model: "o" } },
      },
      { type: "text", text: "I search." },
      { type: "tool-call", id: "call:1", name: "grep", input: { pattern: "x" } },
      { type: "tool-call", id: "b", name: "grep", input: null, malformed: '{"pattern' },
    ],
  },
  {
    role: "tool",
    parts: [
      { type: "tool-result", callId: "call:1", name: "grep", status: "ok", text: "found", images: [image] },
      { type: "tool-result", callId: "b", name: "grep", status: "error", text: "bad arguments" },
    ],
  },
  { role: "user", parts: [{ type: "text", text: "Go on." }] },
  { role: "assistant", parts: [{ type: "text", text: "done" }] },
  { role: "user", parts: [{ type: "text", text: "Thanks." }] },
];

export const output: NonNullable<ModelRequest["output"]> = {
  name: "answer",
  schema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"], additionalProperties: false },
};

export const requestOf = (model: string): ModelRequest => ({
  system: "be kind",
  tools,
  messages: conversation(model),
  toolChoice: "none",
  maxOutputTokens: 5000,
  output,
});

const decoder = new TextDecoder();
export const textOfBody = (body: Uint8Array): string => decoder.decode(body);
export const valueOfBody = (body: Uint8Array): unknown => JSON.parse(textOfBody(body));
