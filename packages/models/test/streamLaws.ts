// What must be true of whatever a reader makes of whatever bytes.
import { isDeepStrictEqual } from "node:util";
import { type ModelEvent, ModelFailureReason, type ModelReply, parseToolInput } from "@kumiko/plugin-api";
import type { CallProblem } from "../src/CallProblem.ts";
import type { Witness } from "./streamWitness.ts";

const reasons: ReadonlySet<string> = new Set(ModelFailureReason.literals);

/** Why a failure is not one; `undefined`: it is. */
export const failureLaw = ({ detail, reason, retryAfterMillis }: CallProblem): string | undefined => {
  if (!reasons.has(reason)) return `the reason ${reason} is none`;
  if (detail === "" || /\p{Cc}/u.test(detail)) return `the detail ${JSON.stringify(detail)} is empty or unsafe`;
  return retryAfterMillis === undefined || retryAfterMillis >= 0 ? undefined : "the wait is negative";
};

/**
 * Why a reply is not what the stream says; `undefined`: it is. A reply needs a stream that says it is over. Each call
 * needs a beginning of its own in the stream, with that name; its arguments must be spelled by fragments of the stream,
 * in their order, and its input must be what they parse to.
 */
export const replyLaw = (
  reply: ModelReply,
  events: ReadonlyArray<ModelEvent>,
  { fragments, isTerminated, starts }: Witness,
): string | undefined => {
  if (!isTerminated) return "a reply was made of a stream that does not say it is over";
  const { parts } = reply.message;
  const told = new Map<number, string>();
  const open = new Set<number>();
  for (const event of events) {
    if (event.type.endsWith(".start")) {
      if (open.has(event.index) || told.has(event.index)) return `part ${event.index} begins twice`;
      open.add(event.index);
      told.set(event.index, "");
    } else if (!open.has(event.index)) return `${event.type} of part ${event.index}, which is not open`;
    if ("text" in event) told.set(event.index, `${told.get(event.index) ?? ""}${event.text}`);
    if (event.type.endsWith(".end")) open.delete(event.index);
  }
  if (open.size > 0) return "a part was never ended";
  if (told.size !== parts.length) return `${told.size} parts were told of, the reply has ${parts.length}`;

  const left = [...starts];
  const ids = new Set<string>();
  for (const [index, part] of parts.entries()) {
    const text = told.get(index) ?? "";
    if (part.type !== "tool-call") {
      if (text !== part.text) return `part ${index} was told of otherwise`;
      continue;
    }
    if (part.id === "" || ids.has(part.id)) return `the id ${part.id} is empty or taken`;
    ids.add(part.id);
    const start = left.indexOf(part.name);
    if (start < 0) return `the stream does not begin a call of ${part.name} here`;
    left.splice(start, 1);
    if (!canSpell(text, fragments)) return `the stream does not hold the arguments ${text}`;
    const read = parseToolInput(text);
    const isCut = reply.stopReason === "length" && index === parts.length - 1 && part.malformed === "";
    if (!isCut && !isDeepStrictEqual([part.input, part.malformed], [read.input, read.malformed]))
      return `the input of call ${index} is not what was told`;
  }
  const counts = Object.values(reply.usage);
  return counts.every((count) => Number.isSafeInteger(count) && count >= 0) ? undefined : "a usage is no count";
};

/** Whether a text can be put together of fragments in their order; some may be left out, being other calls'. */
const canSpell = (text: string, fragments: ReadonlyArray<string>): boolean => {
  let reached = new Set([0]);
  for (const fragment of fragments) {
    const next = new Set(reached);
    for (const at of reached) {
      if (text.startsWith(fragment, at)) next.add(at + fragment.length);
    }
    reached = next;
  }
  if (reached.has(text.length)) return true;
  // Arguments that were encoded twice are told of decoded, once.
  const all = fragments.map((fragment) => fragment.trimStart());
  return all.some((fragment) => fragment.startsWith('"'));
};
