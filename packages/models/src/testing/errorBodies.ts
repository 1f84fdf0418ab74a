import type { JsonObject } from "@kumiko/plugin-api";
import type { Frame } from "./Frame.ts";
import type { WireFormat } from "./ReplyScript.ts";

/** An error in the shape its format gives it. `code` is the provider's own name for it. */
export const errorBody = (wire: WireFormat, code: string, message: string): string =>
  JSON.stringify(
    wire === "anthropic"
      ? { type: "error", error: { type: code, message }, request_id: "req_0" }
      : { error: { message, type: code, param: null, code } },
  );

/** An error within a stream that began well. */
export const errorFrame = (wire: WireFormat, code: string, message: string): Frame => {
  if (wire === "anthropic") return event("error", { type: "error", error: { type: code, message } });
  if (wire === "responses")
    return event("response.failed", {
      type: "response.failed",
      response: { id: "resp_0", status: "failed", error: { code, message }, output: [] },
    });
  return { place: "terminator", data: JSON.stringify({ error: { message, type: code, code } }) };
};

/** The other way the Responses format tells of an error. */
export const errorEvent = (code: string, message: string): Frame =>
  event("error", { type: "error", code, message, param: null, sequence_number: 9 });

const event = (name: string, value: JsonObject): Frame => ({
  place: "terminator",
  name,
  data: JSON.stringify(value),
});

interface Said {
  readonly status: number;
  readonly body: string;
}

const openAi = (message: string, code: string | null = "context_length_exceeded"): Said => ({
  status: 400,
  body: JSON.stringify({ error: { message, type: "invalid_request_error", param: "messages", code } }),
});

/** How providers say that a conversation has become too long; each wire has its own dialects. */
export const overflowAnswers: Readonly<Record<string, Readonly<Partial<Record<WireFormat, Said>>>>> = {
  "overflow-first-words": {
    anthropic: {
      status: 400,
      body: errorBody("anthropic", "invalid_request_error", "prompt is too long: 214315 tokens > 200000 maximum"),
    },
    chat: openAi(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130212 tokens. Please reduce the length of the messages.",
    ),
    responses: openAi("Your input exceeds the context window of this model. Please adjust your input and try again."),
  },
  "overflow-with-limit": {
    anthropic: {
      status: 400,
      body: errorBody(
        "anthropic",
        "invalid_request_error",
        "input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000, decrease input length or `max_tokens` and try again",
      ),
    },
    chat: openAi(
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens.",
      null,
    ),
  },
  "overflow-by-size": {
    anthropic: {
      status: 413,
      body: errorBody("anthropic", "request_too_large", "Request exceeds the maximum size"),
    },
    chat: {
      status: 400,
      body: JSON.stringify({
        error: {
          code: 400,
          message: "the request exceeds the available context size. try increasing the context size",
          type: "exceed_context_size_error",
          n_prompt_tokens: 9000,
          n_ctx: 8192,
        },
      }),
    },
    responses: {
      status: 413,
      body: errorBody("responses", "request_too_large", "Request body is too large"),
    },
  },
  // Google's compatible endpoint, which wraps its errors in a list.
  "overflow-in-list": {
    chat: {
      status: 400,
      body: JSON.stringify([
        {
          error: {
            code: 400,
            message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            status: "INVALID_ARGUMENT",
          },
        },
      ]),
    },
  },
  "overflow-of-prompt": {
    chat: {
      status: 400,
      body: JSON.stringify({
        code: "Client specified an invalid argument",
        error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      }),
    },
  },
  "overflow-flat": {
    chat: {
      status: 400,
      body: JSON.stringify({
        object: "error",
        message:
          "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        type: "invalid_request_prompt",
        code: "3051",
      }),
    },
  },
};
