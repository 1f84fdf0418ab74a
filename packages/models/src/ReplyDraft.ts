import {
  type JsonObject,
  type ModelEvent,
  type ModelReply,
  parseToolInput,
  type StopReason,
  type ToolCallPart,
  type Usage,
} from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import type { CallProblem } from "./CallProblem.ts";
import { parseObject } from "./internal/wireJson.ts";
import type { ReplyOptions } from "./ReplyReader.ts";

/** A part of text or reasoning under way. */
export interface ProseDraft {
  readonly type: "text" | "reasoning";
  text: string;
  providerData?: JsonObject;
}

/** A call under way. It is told of once it has a name. */
export interface CallDraft {
  readonly type: "call";
  readonly index: number;
  readonly id: string;
  name: string;
  text: string;
  providerData?: JsonObject;
  /** Characters of `text` that were told of. */
  told: number;
  /** Whether the arguments may be a JSON string which holds the object; unknown until they begin. */
  mayBeWrapped: boolean | undefined;
  isStarted: boolean;
  isEnded: boolean;
}

/** How the provider ended a reply. Absent: it did not say. */
interface DraftEnd {
  readonly stop: StopReason | undefined;
  readonly usage: Usage | undefined;
}

/** A reply under way: what is put into it is told as events at once. One is used for one reply. */
export interface ReplyDraft {
  /** Adds to the open part of this type, or begins one. */
  readonly say: (type: ProseDraft["type"], text: string) => void;
  /** The open part of this type; begins one where there is none. */
  readonly prose: (type: ProseDraft["type"]) => ProseDraft;
  readonly endProse: () => void;
  /** Begins a call. An id that is empty or taken is replaced by `call_<messages>_<n>`. */
  readonly call: (serverId: string) => CallDraft;
  readonly addToCall: (call: CallDraft, name: string, text: string) => void;
  readonly endCall: (call: CallDraft) => void;
  /** Parts so far, in their order. */
  readonly parts: ReadonlyArray<ProseDraft | CallDraft>;
  readonly hasTooManyCalls: () => boolean;
  /** Ends what is open and gives the reply. */
  readonly finish: (end: DraftEnd) => Result.Result<ModelReply, CallProblem>;
  /** `known`, or an estimate; what was received counts although the provider has not told it yet. */
  readonly spent: (known: Usage | undefined) => Usage;
}

/** More calls in one reply than any model makes; the bound keeps the matching of fragments cheap. */
const maxCalls = 256;

export const tooManyCalls: CallProblem = {
  reason: "bad-response",
  detail: `the reply makes more than ${maxCalls} tool calls`,
};

/** The usual rule of thumb for English text and code; only used where a server reports no usage. */
const charactersPerToken = 4;

/** Makes the draft of one reply, whatever its wire format. */
export const makeReplyDraft = (options: ReplyOptions, onEvent: (event: ModelEvent) => void): ReplyDraft => {
  const parts: Array<ProseDraft | CallDraft> = [];
  const ids = new Set<string>();
  let open: ProseDraft | undefined;
  let calls = 0;

  const endProse = (): void => {
    if (open === undefined) return;
    onEvent({ type: `${open.type}.end`, index: parts.length - 1 });
    open = undefined;
  };

  const prose = (type: ProseDraft["type"]): ProseDraft => {
    if (open?.type === type) return open;
    endProse();
    open = { type, text: "" };
    parts.push(open);
    onEvent({ type: `${type}.start`, index: parts.length - 1 });
    return open;
  };

  const isTaken = (id: string): boolean => ids.has(id) || (options.isTaken?.(id) ?? false);

  const idFor = (serverId: string): string => {
    if (serverId !== "" && !isTaken(serverId)) return serverId;
    let number = calls;
    while (isTaken(`call_${options.messageCount}_${number}`)) number++;
    return `call_${options.messageCount}_${number}`;
  };

  const tell = (call: CallDraft, text: string): void => {
    call.told = call.text.length;
    if (text !== "") onEvent({ type: "toolCall.delta", index: call.index, text });
  };

  // Reads no more of `call.text` than it must: it is a rope, which any look inside copies as a whole.
  const addToCall = (call: CallDraft, name: string, text: string): void => {
    const isUntold = call.told < call.text.length;
    call.text += text;
    if (call.mayBeWrapped === undefined) {
      const begun = text.trimStart();
      if (begun !== "") call.mayBeWrapped = begun.startsWith('"');
    }
    if (!call.isStarted) {
      call.name += name;
      if (call.name === "") return;
      call.isStarted = true;
      onEvent({ type: "toolCall.start", index: call.index, id: call.id, name: call.name });
    }
    // What may be wrapped is told of at its end, when it is clear what it is.
    if (call.mayBeWrapped !== true) tell(call, isUntold ? call.text.slice(call.told) : text);
  };

  const endCall = (call: CallDraft): void => {
    if (call.isEnded || !call.isStarted) return;
    call.isEnded = true;
    if (call.told < call.text.length) {
      const held = call.text.slice(call.told);
      const unwrapped = unwrap(held);
      if (unwrapped !== undefined) call.text = call.text.slice(0, call.told) + unwrapped;
      tell(call, unwrapped ?? held);
    }
    onEvent({ type: "toolCall.end", index: call.index });
  };

  const estimatedOutput = (): number => {
    let characters = 0;
    for (const part of parts) characters += part.text.length;
    return Math.ceil(characters / charactersPerToken);
  };

  const spent = (known: Usage | undefined): Usage => ({
    ...(known ?? { inputTokens: Math.ceil(options.requestBytes / charactersPerToken) }),
    outputTokens: Math.max(known?.outputTokens ?? 0, estimatedOutput()),
  });

  return {
    say: (type, text) => {
      if (text === "") return;
      prose(type).text += text;
      onEvent({ type: `${type}.delta`, index: parts.length - 1, text });
    },
    prose,
    endProse,
    call: (serverId) => {
      endProse();
      const id = idFor(serverId);
      const call: CallDraft = {
        type: "call",
        index: parts.length,
        id,
        name: "",
        text: "",
        told: 0,
        mayBeWrapped: undefined,
        isStarted: false,
        isEnded: false,
      };
      ids.add(id);
      parts.push(call);
      calls++;
      return call;
    },
    addToCall,
    endCall,
    parts,
    hasTooManyCalls: () => calls > maxCalls,
    finish: ({ stop, usage }) => {
      if (parts.some((part) => part.type === "call" && part.name === ""))
        return Result.fail({ reason: "bad-response", detail: "the reply calls a tool without naming it" });
      endProse();
      for (const part of parts) if (part.type === "call") endCall(part);
      const stopReason = stopReasonOf(stop, parts);
      const last = stopReason === "length" ? parts.at(-1) : undefined;
      return Result.succeed({
        message: { role: "assistant", parts: parts.map((part) => messagePart(part, part === last)) },
        stopReason,
        usage: usage ?? spent(undefined),
      });
    },
    spent,
  };
};

const unwrap = (text: string): string | undefined => {
  try {
    const inner: unknown = JSON.parse(text);
    return typeof inner === "string" && parseObject(inner) !== undefined ? inner : undefined;
  } catch {
    return undefined;
  }
};

const messagePart = (part: ProseDraft | CallDraft, isCut: boolean): ModelReply["message"]["parts"][number] => {
  const { text, providerData } = part;
  const kept = providerData === undefined ? {} : { providerData };
  if (part.type === "call")
    return { type: "tool-call", id: part.id, name: part.name, ...inputOf(text, isCut), ...kept };
  return part.type === "text" ? { type: "text", text } : { type: "reasoning", text, ...kept };
};

// No arguments are fine, unless the reply was cut before they came.
const inputOf = (text: string, isCut: boolean): Pick<ToolCallPart, "input" | "malformed"> =>
  isCut && text.trim() === "" ? { input: null, malformed: text } : parseToolInput(text);

// Several servers say `stop` although the reply calls tools, or the other way round: what is there decides.
const stopReasonOf = (stop: StopReason | undefined, parts: ReadonlyArray<ProseDraft | CallDraft>): StopReason => {
  if (stop === "length" || stop === "refusal") return stop;
  if (parts.some(({ type }) => type === "call")) return "tool-calls";
  if (stop === "tool-calls") return parts.some(({ type }) => type === "text") ? "end" : "other";
  return stop ?? "other";
};
