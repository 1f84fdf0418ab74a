import {
  type AssistantMessage,
  isJsonObject,
  type Json,
  type Message,
  type ModelRequest,
  textOf,
  toolCallsOf,
  type ToolResultPart,
} from "@kumiko/plugin-api";
import { promptPattern } from "./internal/promptPattern.ts";
import { callsOf, type RehearsalPart, type RehearsalStep } from "./RehearsalPart.ts";
import type { RehearsalResult, RehearsalScope, RehearsalTemplates } from "./RehearsalTemplates.ts";

/** What the rehearsal model answers to one request. */
export interface RehearsalTurn {
  readonly text: string;
  readonly calls: ReadonlyArray<{ readonly tool: string; readonly input: Json }>;
}

/**
 * Computes the next turn from the conversation alone: which part fits the last prompt, how many answers it has had, and
 * what its calls gave. The same request gives the same turn, so a resumed session goes on where it was.
 *
 * Throws an `Error` that names part and step where a template cannot be rendered.
 */
export const rehearsalTurn = (
  parts: ReadonlyArray<RehearsalPart>,
  templates: RehearsalTemplates,
  request: ModelRequest,
): RehearsalTurn => {
  const { prompt, answers, results, unread } = sinceLastPrompt(request.messages);
  if (request.toolChoice === "none")
    return say(
      summary(results),
      "Rehearsal: this summary was put together from the results, no language model was asked.",
    );
  const part = parts.find(({ when }) => when.every((entry) => promptPattern(entry)(prompt)));
  if (part === undefined) return { text: nothingFits(parts), calls: [] };
  const note = `Rehearsal: this answer was played from the part “${part.name}”, no language model was asked.`;
  const last = results.at(-1);
  const scope: RehearsalScope = { prompt, results, ...(last === undefined ? {} : { last }) };

  if (unread !== undefined && request.tools.some(({ name }) => name === "file_read"))
    return {
      text: `${unread} is there already; I read it before I change it.`,
      calls: [{ tool: "file_read", input: { path: unread } }],
    };
  const failed = results.find(({ status }) => status !== "ok");
  if (failed !== undefined) {
    const text = part.otherwise ?? defaultOtherwise;
    return say(render(templates, text, { ...scope, failed }, `${part.name}, otherwise`), note);
  }
  const step = part.steps[answers];
  if (step === undefined) return say("This part is over. Ask again to play it anew.", note);

  const place = `${part.name}, step ${answers + 1}`;
  const calls = callsOf(step).map(({ tool, input = {} }) => ({
    tool,
    input: renderIn(input, (text) => render(templates, text, scope, place)),
  }));
  const missing = calls.find(({ tool }) => !request.tools.some(({ name }) => name === tool));
  if (missing !== undefined)
    return say(`I cannot go on: this part needs the tool ${missing.tool}, which is not offered here.`, note);
  const text = said(step, (template) => render(templates, template, scope, place));
  return calls.length === 0 ? say(text, note) : { text, calls };
};

interface SinceLastPrompt {
  readonly prompt: string;
  /** Of the part: what was answered on the way to reading a file first does not count. */
  readonly answers: number;
  readonly results: ReadonlyArray<RehearsalResult>;
  /** A file that has to be read before the last call can be made again. */
  readonly unread: string | undefined;
}

const sinceLastPrompt = (messages: ReadonlyArray<Message>): SinceLastPrompt => {
  const start = messages.findLastIndex(({ role }, at) => role === "user" && !isRemark(messages[at - 1]));
  const asked = messages[start];
  const since = messages.slice(start + 1);
  const paths = new Map(since.flatMap(pathsIn));
  const all = since.flatMap((message) => (message.role === "tool" ? message.parts : []));
  // A tool that would replace a file nobody has read says so: it is read, and the step is played again.
  const refusals = all.slice(0, maxDetours * 2).flatMap((part, at) => (isUnread(part) ? [at] : []));
  // A read that failed as well is what the part ends with.
  const detours = new Set(refusals.flatMap((at) => (all[at + 1]?.status === "ok" ? [at, at + 1] : [at])));
  const last = all.length - 1;
  return {
    prompt: asked === undefined ? "" : textOf(asked),
    answers:
      since.filter((message): message is AssistantMessage => message.role === "assistant").length -
      2 * refusals.filter((at) => at !== last).length,
    results: all.flatMap((part, at) => (detours.has(at) ? [] : [resultOf(part)])),
    unread: refusals.includes(last) ? paths.get(all[last]?.callId ?? "") : undefined,
  };
};

/** Files that one prompt reads before it changes them; more are a sign that reading does not help. */
const maxDetours = 8;

const isUnread = ({ status, text }: ToolResultPart): boolean => status === "error" && text.includes("has not read it");

const pathsIn = (message: Message): ReadonlyArray<readonly [callId: string, path: string]> =>
  message.role !== "assistant"
    ? []
    : toolCallsOf(message).flatMap(({ id, input }) =>
        isJsonObject(input) && typeof input["path"] === "string" ? [[id, input["path"]] as const] : [],
      );

// What a user says right after results is a remark in the middle of a run (a nudge, a last instruction), not a prompt,
// unless the run was cut off there.
const isRemark = (before: Message | undefined): boolean =>
  before?.role === "tool" && before.parts.some(({ status }) => status !== "cancelled");

const resultOf = ({ name, status, text }: ToolResultPart): RehearsalResult => ({
  tool: name,
  status,
  outcome: outcomes[status],
  text,
  lines: text.split(/\r?\n/).filter((line) => line.trim() !== ""),
});

const outcomes: Readonly<Record<ToolResultPart["status"], string>> = {
  ok: "succeeded",
  error: "failed",
  denied: "was denied",
  cancelled: "was cancelled",
  unknown: "may or may not have happened",
};

const say = (text: string, note: string): RehearsalTurn => ({ text: `${text.trimEnd()}\n\n(${note})`, calls: [] });

const said = (step: RehearsalStep, render: (template: string) => string): string =>
  step.say === undefined ? "" : render(step.say);

const defaultOtherwise =
  "I stop here: the call of {{ failed.tool }} {{ failed.outcome }}. " +
  "{% if failed.text != '' %}It said: {{ failed.text | truncate: 400 }}{% endif %}";

const render = (templates: RehearsalTemplates, template: string, scope: RehearsalScope, place: string): string => {
  try {
    return templates.render(template, scope);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`the part cannot be played (${place}): ${problem}`, { cause: error });
  }
};

const renderIn = (value: Json, renderText: (text: string) => string): Json => {
  if (typeof value === "string") return renderText(value);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((item) => renderIn(item, renderText));
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, renderIn(field, renderText)]));
};

const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value);

const summary = (results: ReadonlyArray<RehearsalResult>): string => {
  if (results.length === 0) return "I was stopped before anything was done.";
  const done = results.map(({ tool, outcome, lines }) => {
    const first = lines[0] === undefined ? "no output" : `first line: ${lines[0].slice(0, 120)}`;
    return `- ${tool} ${outcome} (${lines.length} lines, ${first})`;
  });
  return `I was stopped before the end. Done so far:\n${done.join("\n")}`;
};

const nothingFits = (parts: ReadonlyArray<RehearsalPart>): string => {
  const known = parts.map(
    ({ name, example, when }) =>
      `- ${name}: ${example === undefined ? `say ${when.join(" and ")}` : `try “${example}”`}`,
  );
  return `This is a rehearsal: no language model is set up, so I only play prepared parts, and none fits your prompt.

Parts I know:
${known.join("\n")}

To ask a real model:
- a local one: --model ollama/<name>
- OpenAI: set OPENAI_API_KEY, then --model openai/<name>
- any OpenAI-compatible server: --model <base URL>#<name>, with KUMIKO_API_KEY where it wants a key`;
};
