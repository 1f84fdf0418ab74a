import type { ToolResultPart } from "@kumiko/plugin-api";
import type { CallSlot } from "./CallSlot.ts";

/** The result of a settled call, as the model reads it. An empty output is labelled as empty. */
export const resultOf = (slot: CallSlot): ToolResultPart => {
  const { context, output, part, problem, reused } = slot;
  if (reused !== undefined) return reused;
  const { id: callId, name } = part;
  if (output !== undefined)
    return {
      type: "tool-result",
      callId,
      name,
      status: "ok",
      text: output.text === "" ? `(${name} succeeded with no output)` : output.text,
      ...(output.images === undefined ? {} : { images: output.images }),
    };
  const why = problem ?? "It did not run.";
  const text = context.disposition === "executed" && context.status === "error" ? failureText(slot, why) : why;
  return { type: "tool-result", callId, name, status: context.status, text };
};

/** Which tool, which arguments, what went wrong, and what to do. */
const failureText = ({ part, proposed }: CallSlot, why: string): string => {
  const input = JSON.stringify(proposed?.input ?? part.input);
  const shown = input.length > 500 ? `${input.slice(0, 500)}… (${input.length} characters)` : input;
  const [, label = "", what = why] = /^(\[[a-z]+ error\] )?([^]*)$/.exec(why) ?? [];
  return `${label}${part.name} failed: ${what}\nIt was called with ${shown}\nFix what is wrong and try again, or take another way.`;
};
