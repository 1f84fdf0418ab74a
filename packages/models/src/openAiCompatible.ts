import { type LanguageModel, ModelCallFailed, type ModelReply } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type { CallProblem } from "./CallProblem.ts";
import { makeChatCompletionsBody } from "./ChatCompletionsBody.ts";
import { makeChatCompletionsReply } from "./ChatCompletionsReply.ts";
import type { EventStreamClient } from "./EventStreamClient.node.ts";
import { ModelSettingsInvalid } from "./ModelSettingsInvalid.ts";
import { checkedProxy } from "./proxyFor.ts";
import { makeSseParser } from "./SseParser.ts";

/** Settings of {@link openAiCompatible}. */
export interface OpenAiCompatibleOptions {
  /** As the server names it. */
  readonly model: string;
  /** Up to and without `/chat/completions`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token. Absent: none is sent. */
  readonly apiKey?: string;
  /** Sent with every request, and as secret as the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** First half of the model's id. Default: the host of `baseUrl`. */
  readonly provider?: string;
  readonly contextWindowTokens?: number;
  /** Limit of a reply where a request names none. Default: the server's. */
  readonly maxOutputTokens?: number;
  /** Default: `max_tokens`, which nearly every server knows; OpenAI itself wants `max_completion_tokens`. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /**
   * Longest silence of the server. Default 300 000 ms: a local model may think that long about a long prompt before its
   * first token. Too short a value shows as failures of reason `timeout`.
   */
  readonly idleTimeoutMillis?: number;
  /** The proxy to go through, such as `http://proxy.example:3128`; see `proxyFor`. Default: none. */
  readonly proxy?: string;
}

/** A model whose connections can be ended. A call after `close` opens new ones. */
export interface ClosableLanguageModel extends LanguageModel {
  readonly close: Effect.Effect<void>;
}

/**
 * A model behind an OpenAI-compatible Chat Completions endpoint, streaming.
 *
 * Connections are the model's own, kept alive, opened by the first call; idle ones keep no process alive. Throws
 * {@link ModelSettingsInvalid} when settings do not fit. Failures never hold the key or a header's value.
 *
 * @example
 * ```ts
 * const model = openAiCompatible({ model: "llama3.2", baseUrl: "http://127.0.0.1:11434/v1" })
 * ```
 */
export const openAiCompatible = (options: OpenAiCompatibleOptions): ClosableLanguageModel => {
  const url = endpointOf(options.baseUrl);
  const id = `${options.provider ?? url.host}/${options.model}`;
  const headers = headersOf(options);
  const secrets = secretsOf(options);
  const { maxOutputTokens, maxTokensField = "max_tokens", idleTimeoutMillis = 300_000 } = options;
  const through = options.proxy === undefined ? {} : { proxy: checkedProxy(options.proxy) };
  const bodyOf = makeChatCompletionsBody({
    model: options.model,
    maxTokensField,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  });
  const failed = ({ detail, ...problem }: CallProblem): ModelCallFailed =>
    new ModelCallFailed({ ...problem, model: id, detail: withoutSecrets(detail, secrets) });

  let client: EventStreamClient | undefined;
  // The HTTP client is a tenth of a second to load, which is nothing to pay for a model that is never called.
  const load = Effect.promise(() => import("./EventStreamClient.node.ts")).pipe(
    Effect.map(
      ({ makeEventStreamClient }) =>
        (client ??= makeEventStreamClient({ url, headers, idleTimeoutMillis, ...through })),
    ),
  );

  const call = (
    connected: EventStreamClient,
    ...[request, onEvent]: Parameters<LanguageModel["generate"]>
  ): Effect.Effect<ModelReply, ModelCallFailed> =>
    Effect.callback((resume) => {
      const body = bodyOf(request);
      let isOver = false;
      const settle = (result: Result.Result<ModelReply, CallProblem>): void => {
        if (isOver) return;
        isOver = true;
        resume(Result.isFailure(result) ? Effect.fail(failed(result.failure)) : Effect.succeed(result.success));
      };
      const reply = makeChatCompletionsReply(
        { toolChoice: request.toolChoice, messageCount: request.messages.length, requestBytes: body.length },
        (event) => {
          if (!isOver) onEvent(event);
        },
      );
      const abandon = (problem: CallProblem): void => {
        settle(Result.fail(problem));
        giveUp();
      };
      const parser = makeSseParser((data) => {
        if (isOver || reply.isDone()) return;
        const problem = reply.read(data);
        if (problem !== undefined) abandon(problem);
      });
      const giveUp = connected.post(body, {
        data: (bytes) => {
          if (!isOver && !parser.push(bytes))
            abandon({ reason: "bad-response", detail: "the stream holds an event that never ends" });
          return reply.isDone();
        },
        end: () => {
          parser.end();
          if (!isOver) settle(reply.finish());
        },
        problem: (problem) => settle(reply.isDone() ? reply.finish() : Result.fail(problem)),
      });
      return Effect.sync(() => {
        isOver = true;
        giveUp();
      });
    });

  return {
    id,
    ...(options.contextWindowTokens === undefined ? {} : { contextWindowTokens: options.contextWindowTokens }),
    generate: (request, onEvent) =>
      Effect.suspend(() =>
        client === undefined
          ? Effect.flatMap(load, (connected) => call(connected, request, onEvent))
          : call(client, request, onEvent),
      ),
    close: Effect.promise(async () => {
      const closing = client;
      client = undefined;
      await closing?.destroy();
    }),
  };
};

const endpointOf = (baseUrl: string): URL => {
  const url = URL.parse(baseUrl);
  if (url === null) throw badUrl("it is no URL");
  if (url.protocol !== "http:" && url.protocol !== "https:") throw badUrl("it is neither http nor https");
  if (url.username !== "" || url.password !== "") throw badUrl("it holds a user name or password; use the API key");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  url.hash = "";
  return url;
};

const badUrl = (problem: string): ModelSettingsInvalid =>
  new ModelSettingsInvalid({ setting: "base URL", problem, hint: "Use one such as https://api.openai.com/v1." });

const headersOf = ({ apiKey, headers = {} }: OpenAiCompatibleOptions): ReadonlyMap<string, string> => {
  const all = new Map([
    ["content-type", "application/json"],
    ["accept", "text/event-stream"],
    ["user-agent", "kumiko"],
  ]);
  if (apiKey !== undefined) {
    const key = apiKey.trim();
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new ModelSettingsInvalid({
        setting: "API key",
        problem: "it is empty or holds characters that no key has",
        hint: "Copy it again; it is one line of ASCII.",
      });
    all.set("authorization", `Bearer ${key}`);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new ModelSettingsInvalid({
        setting: `header ${JSON.stringify(name)}`,
        problem: "its name or value cannot be sent",
        hint: "Use one line of printable characters.",
      });
    all.set(name.toLowerCase(), value);
  }
  return all;
};

const secretsOf = ({ apiKey, headers = {} }: OpenAiCompatibleOptions): ReadonlyArray<string> =>
  [apiKey?.trim() ?? "", ...Object.values(headers)].filter((secret) => secret.length >= shortestSecret);

/** Shorter values are no secrets, and taking them out of texts would garble them. */
const shortestSecret = 6;

/** Shorter beginnings of a key are public: `sk-`, `Bearer`. */
const shortestPart = 8;

const withoutSecrets = (text: string, secrets: ReadonlyArray<string>): string => {
  let clean = text;
  for (const secret of secrets) {
    clean = clean.replaceAll(secret, "[secret]");
    // Texts were cut before they came here, so a secret may stand there in part.
    for (let length = secret.length - 1; length >= shortestPart; length--)
      clean = clean.replaceAll(secret.slice(0, length), "[secret]");
  }
  return clean;
};
