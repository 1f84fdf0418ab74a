import {
  type Message,
  type RunOutcome,
  textOf,
  type ToolCallPart,
  toolCallsOf,
  type ToolStatus,
} from "@kumiko/plugin-api";

/** The latest calls are told one by one, earlier ones counted. */
const mostListed = 20;
const longestInput = 120;
const longestText = 2_000;

/**
 * An outcome that says what is done and what is not, even where no model could be asked: a run that failed, or was stopped
 * and has no summary, gets a report of its calls and how each ended. Others stay as they are. `messages` are the run's own,
 * the user's first.
 */
export const withReport = (outcome: RunOutcome, messages: ReadonlyArray<Message>): RunOutcome => {
  const { reason, status, text } = outcome;
  const lacksSummary =
    status === "failed" || (status === "force-stopped" && (text.trim() === "" || saysNoSummary(reason)));
  return lacksSummary ? { ...outcome, text: report(outcome, messages) } : outcome;
};

const saysNoSummary = (reason: string | undefined): boolean =>
  reason?.includes("; the closing summary failed:") === true;

const report = ({ reason, text }: RunOutcome, messages: ReadonlyArray<Message>): string => {
  const calls = settledCalls(messages);
  const done = calls.filter(({ status }) => status === "ok");
  const rest = calls.filter(({ status }) => status !== "ok");
  const [first] = messages;
  const task = first?.role === "user" ? textOf(first).trim() : "";
  return [
    `The run could not be finished: ${(reason ?? "it broke").replace(/[.?!\s]+$/, "")}.`,
    done.length === 0 ? "Done: nothing; no call has succeeded." : `Done, call by call:\n${listed(done)}`,
    ...(rest.length === 0 ? [] : [`Tried without success:\n${listed(rest)}`]),
    `Not done: ${task === "" ? "the task" : quoted(task)} has no final answer.`,
    ...(text.trim() === "" ? [] : [`The model's last words: ${quoted(text)}`]),
  ].join("\n");
};

interface SettledCall {
  readonly call: ToolCallPart;
  readonly status: ToolStatus;
}

const settledCalls = (messages: ReadonlyArray<Message>): ReadonlyArray<SettledCall> => {
  const settled: Array<SettledCall> = [];
  let proposed: ReadonlyArray<ToolCallPart> = [];
  for (const message of messages) {
    if (message.role === "assistant") proposed = toolCallsOf(message);
    if (message.role !== "tool") continue;
    for (const { callId, status } of message.parts) {
      const call = proposed.find(({ id }) => id === callId);
      if (call !== undefined) settled.push({ call, status });
    }
  }
  return settled;
};

const listed = (calls: ReadonlyArray<SettledCall>): string => {
  const earlier = calls.length - mostListed;
  const lines = calls.slice(-mostListed).map(({ call: { input, name }, status }) => {
    const shown = JSON.stringify(input) ?? "";
    return `- ${name} ${short(shown, longestInput)}${status === "ok" ? "" : `: ${status}`}`;
  });
  return [...(earlier > 0 ? [`- ${earlier} earlier calls`] : []), ...lines].join("\n");
};

const quoted = (text: string): string => JSON.stringify(short(text.trim(), longestText));

const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
