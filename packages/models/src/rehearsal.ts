import {
  type AssistantMessage,
  type LanguageModel,
  type Message,
  ModelCallFailed,
  type ModelEvent,
  type ModelReply,
  type ModelRequest,
} from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import { builtInParts } from "./builtInParts.ts";
import { parseParts } from "./parseParts.ts";
import type { RehearsalPart, RehearsalPartsInvalid } from "./RehearsalPart.ts";
import { loadRehearsalTemplates, type RehearsalTemplates } from "./RehearsalTemplates.ts";
import { rehearsalTurn, type RehearsalTurn } from "./rehearsalTurn.ts";

/** Settings of {@link rehearsal}. */
export interface RehearsalOptions {
  /** Parts beside the built-in ones, asked first: as `parseParts` or `loadParts` gave them, or as YAML text. */
  readonly parts?: string | ReadonlyArray<RehearsalPart>;
  /** Pause between words, so that people see them come. Default 0: none, as tests want it. */
  readonly paceMillis?: number;
}

/**
 * A model that plays prepared parts: deterministic, without key or network, and open about it in every final text.
 *
 * What it answers depends on the conversation alone. A call that fails, is denied or is missing ends the part with a
 * text that says so. Under tool choice `none` it sums up the results. Parts given as text that do not parse, and
 * templates that do not render, fail the call with reason `bad-request`.
 *
 * @example
 * ```ts
 * const model = rehearsal({ parts: "- name: ping\n  when: [ping]\n  steps: [{ say: pong }]\n" })
 * ```
 */
export const rehearsal = (options: RehearsalOptions = {}): LanguageModel => {
  const { paceMillis = 0 } = options;
  let stage: { readonly parts: ReadonlyArray<RehearsalPart>; readonly templates: RehearsalTemplates } | undefined;
  const load = Effect.gen(function* () {
    const templates = yield* Effect.promise(loadRehearsalTemplates);
    const parts = [...(yield* ownParts(options.parts)), ...(yield* parseParts(builtInParts, "built-in parts"))];
    return (stage ??= { parts, templates });
  });
  return {
    id,
    isRehearsal: true,
    // Its tokens are counted so that meters have something to show, and cost nothing.
    prices: { input: 0, output: 0 },
    generate: (request, onEvent) =>
      Effect.gen(function* () {
        const { parts, templates } = stage ?? (yield* Effect.mapError(load, (error) => failed(error.message)));
        const turn = yield* Effect.try({
          try: () => rehearsalTurn(parts, templates, request),
          catch: (error) => failed(error instanceof Error ? error.message : String(error)),
        });
        const message = messageOf(turn, request.messages.length);
        for (const event of eventsOf(message)) {
          if (paceMillis > 0 && event.type === "text.delta") yield* Effect.sleep(paceMillis);
          onEvent(event);
        }
        return replyOf(message, request);
      }),
  };
};

const id = "rehearsal/parts";

const ownParts = (
  parts: RehearsalOptions["parts"],
): Effect.Effect<ReadonlyArray<RehearsalPart>, RehearsalPartsInvalid> =>
  typeof parts === "string" ? parseParts(parts, "rehearsal parts") : Effect.succeed(parts ?? []);

const failed = (detail: string): ModelCallFailed => new ModelCallFailed({ reason: "bad-request", model: id, detail });

const messageOf = ({ text, calls }: RehearsalTurn, messageCount: number): AssistantMessage => ({
  role: "assistant",
  parts: [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map(({ tool, input }, index) => ({
      type: "tool-call" as const,
      // Unique in the conversation, which only grows.
      id: `rehearsal_${messageCount}_${index}`,
      name: tool,
      input,
    })),
  ],
});

const eventsOf = (message: AssistantMessage): ReadonlyArray<ModelEvent> =>
  message.parts.flatMap((part, index): ReadonlyArray<ModelEvent> => {
    if (part.type !== "tool-call") {
      const words = part.text.match(/\s*\S+|\s+$/g) ?? [];
      return [
        { type: `${part.type}.start`, index },
        ...words.map((text) => ({ type: `${part.type}.delta` as const, index, text })),
        { type: `${part.type}.end`, index },
      ];
    }
    return [
      { type: "toolCall.start", index, id: part.id, name: part.name },
      { type: "toolCall.delta", index, text: JSON.stringify(part.input) },
      { type: "toolCall.end", index },
    ];
  });

const replyOf = (message: AssistantMessage, request: ModelRequest): ModelReply => {
  let input = request.system.length;
  for (const sent of request.messages) input += charactersIn(sent);
  return {
    message,
    stopReason: message.parts.some(({ type }) => type === "tool-call") ? "tool-calls" : "end",
    usage: { inputTokens: tokens(input), outputTokens: tokens(charactersIn(message)) },
  };
};

/** The usual rule of thumb; the point is that meters and budgets have something to show. */
const charactersPerToken = 4;

const tokens = (characters: number): number => Math.ceil(characters / charactersPerToken);

const measured = new WeakMap<Message, number>();

const charactersIn = (message: Message): number => {
  const known = measured.get(message);
  if (known !== undefined) return known;
  let characters = 0;
  for (const part of message.parts) {
    if (part.type === "tool-call") characters += part.name.length + JSON.stringify(part.input).length;
    else if (part.type !== "image") characters += part.text.length;
  }
  measured.set(message, characters);
  return characters;
};
