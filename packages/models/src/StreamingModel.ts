import {
  type JsonObject,
  type LanguageModel,
  ModelCallFailed,
  type ModelPrices,
  type ModelReply,
  type ModelRequest,
} from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type { CallProblem } from "./CallProblem.ts";
import type { EventStreamClient } from "./EventStreamClient.node.ts";
import { hasCall } from "./internal/hasCall.ts";
import { endpointOf, headersOf, makeSecretRemover, secretsInUrl } from "./ModelEndpoint.ts";
import { checkedProxy } from "./proxyFor.ts";
import type { MakeReplyReader, ReplyReader } from "./ReplyReader.ts";
import { makeSseParser } from "./SseParser.ts";

/** Settings of every model that streams over HTTP. */
export interface StreamingModelOptions {
  /** As the server names it. */
  readonly model: string;
  /** Up to and without the path of the wire format, such as `https://api.openai.com/v1`. */
  readonly baseUrl?: string;
  /** Absent: none is sent. */
  readonly apiKey?: string;
  /** Sent with every request, and as secret as the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** First half of the model's id. Default: the host of `baseUrl`. */
  readonly provider?: string;
  /** Which of several accounts this is; see {@link LanguageModel.profile}. */
  readonly profile?: string;
  readonly contextWindowTokens?: number;
  /** Limit of a reply where a request names none. Default: the server's. */
  readonly maxOutputTokens?: number;
  readonly prices?: ModelPrices;
  /**
   * Longest silence of the server. Default 300 000 ms: a local model may think that long about a long prompt before its
   * first token. Too short a value shows as failures of reason `timeout`.
   */
  readonly idleTimeoutMillis?: number;
  /** The proxy to go through, such as `http://proxy.example:3128`; see `proxyFor`. Default: none. */
  readonly proxy?: string;
  /**
   * Fields put into every request's body as they are: a temperature, or `{ cache_control: { type: "ephemeral" } }` for a
   * Claude model behind OpenRouter. Fields that are made here cannot be replaced.
   */
  readonly extraBody?: JsonObject;
}

/** What makes one wire format different from the others. */
export interface WireFormat {
  /** Where `baseUrl` ends and the format begins, such as `/chat/completions`. */
  readonly path: string;
  /** The format's own headers, the key's included. */
  readonly headers: Readonly<Record<string, string>>;
  /** What no failure may hold, beside the values of the headers that were asked for. */
  readonly secrets: ReadonlyArray<string>;
  readonly bodyOf: (request: ModelRequest) => Uint8Array;
  readonly replyReader: MakeReplyReader;
}

/** A model whose connections can be ended. A call after `close` opens new ones. */
export interface ClosableLanguageModel extends LanguageModel {
  readonly close: Effect.Effect<void>;
}

const defaultIdleTimeoutMillis = 300_000;

// A reader does not throw; what is nested too deep for the language's own functions does, and is no fault of the network.
const readSafely = (reply: ReplyReader, data: string): CallProblem | undefined => {
  try {
    return reply.read(data);
  } catch {
    return { reason: "bad-response", detail: "the stream holds something that cannot be read" };
  }
};

/** The model behind an endpoint, whatever it speaks. Throws `ModelSettingsInvalid` when settings do not fit. */
export const makeStreamingModel = (
  options: StreamingModelOptions & { readonly baseUrl: string },
  wire: WireFormat,
): ClosableLanguageModel => {
  const { contextWindowTokens, idleTimeoutMillis = defaultIdleTimeoutMillis, prices, profile } = options;
  const url = endpointOf(options.baseUrl, wire.path);
  const id = `${options.provider ?? url.host}/${options.model}`;
  const headers = headersOf(wire.headers, options.headers ?? {});
  const withoutSecrets = makeSecretRemover([
    ...wire.secrets,
    ...Object.values(options.headers ?? {}),
    ...secretsInUrl(url.href),
    ...secretsInUrl(options.proxy ?? ""),
  ]);

  const through = options.proxy === undefined ? {} : { proxy: checkedProxy(options.proxy) };

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
      const body = wire.bodyOf(request);
      let isOver = false;
      let hasProgressed = false;
      const reply = wire.replyReader(
        {
          toolChoice: request.toolChoice,
          messageCount: request.messages.length,
          isTaken: (callId) => hasCall(request.messages, callId),
          requestBytes: body.length,
        },
        (event) => {
          hasProgressed = true;
          if (!isOver) onEvent(event);
        },
      );
      const failed = ({ detail, ...problem }: CallProblem): ModelCallFailed => {
        const usage = reply.spent();
        const cost = usage === undefined ? {} : { usage };
        return new ModelCallFailed({ ...problem, ...cost, model: id, detail: withoutSecrets(detail) });
      };
      const settle = (result: Result.Result<ModelReply, CallProblem>): void => {
        if (isOver) return;
        isOver = true;
        resume(Result.isFailure(result) ? Effect.fail(failed(result.failure)) : Effect.succeed(result.success));
      };
      const abandon = (problem: CallProblem): void => {
        settle(Result.fail(problem));
        giveUp();
      };
      const parser = makeSseParser((data) => {
        if (isOver || reply.isDone()) return;
        const problem = readSafely(reply, data);
        if (problem !== undefined) abandon(problem);
      });
      const giveUp = connected.post(body, {
        data: (bytes) => {
          if (!isOver && !parser.push(bytes))
            abandon({ reason: "bad-response", detail: "the stream holds an event that never ends" });
          return reply.isDone();
        },
        hasProgressed: () => {
          const progressed = hasProgressed;
          hasProgressed = false;
          return progressed;
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
    ...(profile === undefined ? {} : { profile }),
    ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
    ...(prices === undefined ? {} : { prices }),
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
