import { canonicalJson } from "../Json.ts";
import type { AssistantMessage, ToolCallPart } from "../Message.ts";
import { type ModelEvent, parseToolInput } from "../Model.ts";

interface Heard {
  readonly kind: string;
  readonly call?: { readonly id: string; readonly name: string };
  text: string;
  isEnded: boolean;
}

/**
 * How the events of a model call differ from the message it gave; `undefined`: not at all. Each part is started once,
 * gets its deltas, and is ended once; joined deltas equal the part's text or the call's arguments.
 */
export const eventProblem = (events: ReadonlyArray<ModelEvent>, message: AssistantMessage): string | undefined => {
  const heard = new Map<number, Heard>();
  for (const event of events) {
    const problem = hear(heard, event);
    if (problem !== undefined) return problem;
  }
  if (heard.size !== message.parts.length)
    return `${heard.size} parts were streamed, the message has ${message.parts.length}`;
  for (const [index, part] of message.parts.entries()) {
    const told = heard.get(index);
    if (told === undefined) return `part ${index} was not streamed`;
    if (!told.isEnded) return `part ${index} was not ended`;
    const problem = part.type === "tool-call" ? callProblem(told, part) : proseProblem(told, part);
    if (problem !== undefined) return `part ${index}: ${problem}`;
  }
  return undefined;
};

const hear = (heard: Map<number, Heard>, event: ModelEvent): string | undefined => {
  const [kind, step] = event.type.split(".");
  const { index } = event;
  const known = heard.get(index);
  if (event.type === "toolCall.start" || step === "start") {
    if (known !== undefined) return `part ${index} was started twice`;
    const call = event.type === "toolCall.start" ? { call: { id: event.id, name: event.name } } : {};
    heard.set(index, { kind: kind ?? "", ...call, text: "", isEnded: false });
    return undefined;
  }
  if (known === undefined) return `${event.type} of part ${index}, which was not started`;
  if (known.kind !== kind) return `${event.type} of part ${index}, which was started as ${known.kind}`;
  if (known.isEnded) return `${event.type} of part ${index}, which was ended`;
  if ("text" in event) known.text += event.text;
  else known.isEnded = true;
  return undefined;
};

const proseProblem = (told: Heard, part: { readonly type: string; readonly text: string }): string | undefined => {
  if (told.kind !== part.type) return `streamed as ${told.kind}, but it is ${part.type}`;
  return told.text === part.text ? undefined : "its deltas do not add up to its text";
};

const callProblem = (told: Heard, part: ToolCallPart): string | undefined => {
  if (told.call === undefined) return `streamed as ${told.kind}, but it is a tool call`;
  if (told.call.id !== part.id || told.call.name !== part.name) return "it was streamed with another id or name";
  const { input, malformed } = parseToolInput(told.text);
  const isSame = malformed === part.malformed && canonicalJson(input) === canonicalJson(part.input);
  return isSame ? undefined : "its deltas do not add up to its arguments";
};
