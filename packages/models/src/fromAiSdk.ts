import {
  type JsonObject,
  type LanguageModel,
  ModelCallFailed,
  type ModelPrices,
  type ModelReply,
  type ModelRequest,
} from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { aiSdkProblem } from "./aiSdkProblem.ts";
import { aiSdkFormV2, aiSdkFormV3, aiSdkFormV4, aiSdkMessages } from "./AiSdkPrompt.ts";
import { type AiSdkReply, makeAiSdkReply } from "./AiSdkReply.ts";
import type { CallProblem } from "./CallProblem.ts";
import { hasCall } from "./internal/hasCall.ts";
import { makeSecretRemover } from "./ModelEndpoint.ts";
import { ModelSettingsInvalid } from "./ModelSettingsInvalid.ts";

/** What is used of a language model of the Vercel AI SDK: versions 2, 3 and 4 of its specification have this shape. */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: object): PromiseLike<{ readonly stream: AiSdkStream }>;
}

/** What is used of a `ReadableStream`. */
export interface AiSdkStream {
  getReader(): {
    read(): PromiseLike<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(): PromiseLike<unknown>;
  };
}

/** Settings of {@link fromAiSdk}. */
export interface FromAiSdkOptions {
  /** First half of the model's id. Default: the SDK's name of the provider. */
  readonly provider?: string;
  readonly profile?: string;
  readonly contextWindowTokens?: number;
  /** Limit of a reply where a request names none. Default: the provider's. */
  readonly maxOutputTokens?: number;
  readonly prices?: ModelPrices;
  /** Handed to the provider with every call, such as `{ anthropic: { thinking: { type: "adaptive" } } }`. */
  readonly providerOptions?: JsonObject;
  /** Longest silence of the model. Default 300 000 ms. */
  readonly idleTimeoutMillis?: number;
  /** Texts that no failure may hold: the key that the SDK's model was made with. */
  readonly secrets?: ReadonlyArray<string>;
}

const defaultIdleTimeoutMillis = 300_000;
const forms = { v2: aiSdkFormV2, v3: aiSdkFormV3, v4: aiSdkFormV4 };

/**
 * Any language model of the Vercel AI SDK as a `LanguageModel`. The SDK is no dependency: bring the model.
 *
 * What the provider gives to be handed back (`providerMetadata` of reasoning and calls) goes back to the same model
 * only. Interrupting a call aborts the SDK's. Throws `ModelSettingsInvalid` for a version of the specification that is
 * not known.
 *
 * @example
 * ```ts
 * import { createAnthropic } from "@ai-sdk/anthropic"
 *
 * const apiKey = "sk-ant-key"
 * const model = fromAiSdk(createAnthropic({ apiKey })("claude-sonnet-5-5"), { secrets: [apiKey] })
 * model.id // => "anthropic.messages/claude-sonnet-5-5"
 * ```
 */
export const fromAiSdk = (model: AiSdkModel, options: FromAiSdkOptions = {}): LanguageModel => {
  const { contextWindowTokens, idleTimeoutMillis = defaultIdleTimeoutMillis, prices, profile } = options;
  const version = versionOf(model);
  const id = `${(options.provider ?? model.provider).replace(/[\s/]+/g, "-")}/${model.modelId}`;
  const withoutSecrets = makeSecretRemover(options.secrets ?? []);
  const silent: CallProblem = { reason: "timeout", detail: `the model kept silent for ${idleTimeoutMillis} ms` };

  // A step of the SDK's, bounded: adapters throw whatever they like.
  const step = <A>(run: () => PromiseLike<A>): Effect.Effect<A, CallProblem> =>
    Effect.tryPromise({ try: async () => run(), catch: aiSdkProblem }).pipe(
      Effect.timeoutOption(idleTimeoutMillis),
      Effect.flatMap(Option.match({ onNone: () => Effect.fail(silent), onSome: Effect.succeed })),
    );

  const read = (reply: AiSdkReply, stream: AiSdkStream): Effect.Effect<ModelReply, CallProblem> =>
    Effect.acquireUseRelease(
      step(async () => stream.getReader()),
      (reader) =>
        Effect.gen(function* () {
          for (;;) {
            const { done, value } = yield* step(() => reader.read());
            if (done) return yield* Effect.fromResult(reply.finish());
            const problem = reply.read(value);
            if (problem !== undefined) return yield* Effect.fail(problem);
          }
        }),
      // Neither waited for nor listened to: the reply is settled, and the signal has ended what there is to end.
      (reader) => Effect.sync(() => void new Promise((resolve) => resolve(reader.cancel())).catch(() => undefined)),
    );

  return {
    id,
    ...(profile === undefined ? {} : { profile }),
    ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
    ...(prices === undefined ? {} : { prices }),
    generate: (request, onEvent) =>
      Effect.acquireUseRelease(
        Effect.sync(() => new AbortController()),
        ({ signal }) => {
          const call = callOf(request, version, id, options);
          const reply = makeAiSdkReply(
            {
              toolChoice: request.toolChoice,
              messageCount: request.messages.length,
              isTaken: (callId) => hasCall(request.messages, callId),
              // Read only where an estimate is needed.
              get requestBytes() {
                return JSON.stringify(call).length;
              },
            },
            id,
            onEvent,
          );
          const failed = ({ detail, ...problem }: CallProblem): ModelCallFailed => {
            const usage = reply.spent();
            const cost = usage === undefined ? {} : { usage };
            return new ModelCallFailed({ ...problem, ...cost, model: id, detail: withoutSecrets(detail) });
          };
          return step(() => model.doStream({ ...call, abortSignal: signal })).pipe(
            Effect.flatMap(({ stream }) => read(reply, stream)),
            Effect.mapError(failed),
          );
        },
        (controller) => Effect.sync(() => controller.abort()),
      ),
  };
};

const versionOf = ({ specificationVersion: version }: AiSdkModel): keyof typeof forms => {
  if (version === "v2" || version === "v3" || version === "v4") return version;
  throw new ModelSettingsInvalid({
    setting: "AI SDK model",
    problem: `it follows version ${version} of the specification`,
    hint: "Use one of version v2, v3 or v4.",
  });
};

const callOf = (
  request: ModelRequest,
  version: keyof typeof forms,
  id: string,
  { maxOutputTokens, providerOptions }: FromAiSdkOptions,
): object => {
  const { messages, output, system, toolChoice, tools } = request;
  const limit = request.maxOutputTokens ?? maxOutputTokens;
  return {
    prompt: aiSdkMessages<unknown, unknown>(system, messages, forms[version], id),
    ...(limit === undefined ? {} : { maxOutputTokens: limit }),
    ...(output === undefined ? {} : { responseFormat: { type: "json", name: output.name, schema: output.schema } }),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool) => ({ type: "function", ...tool })), toolChoice: { type: toolChoice } }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
};
