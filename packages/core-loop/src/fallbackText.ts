import type { Message, RunOutcome } from "@kumiko/plugin-api";

const mostListed = 20;

/**
 * An outcome that says what is done even where the model said nothing: a run that was stopped or failed without a text
 * gets one that lists its calls and how each ended. Others stay as they are.
 */
export const withText = (outcome: RunOutcome, messages: ReadonlyArray<Message>): RunOutcome => {
  if (outcome.text.trim() !== "" || (outcome.status !== "force-stopped" && outcome.status !== "failed")) return outcome;
  const calls = messages.flatMap((message) =>
    message.role === "tool" ? message.parts.map(({ name, status }) => `${name} (${status})`) : [],
  );
  const listed = calls.slice(-mostListed).join(", ");
  const more = calls.length > mostListed ? `${calls.length - mostListed} earlier calls, then ` : "";
  const text =
    calls.length === 0
      ? "The run ended before any call was made; nothing was changed."
      : `The model gave no summary. Calls that were made: ${more}${listed}.`;
  return { ...outcome, text };
};
