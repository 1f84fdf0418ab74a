import type { AskedCall, ScriptedReply } from "@kumiko/models/testing";
import { defineTool, type JsonObject, type Tool } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";

/** What is to be done: three marks, each set once. */
export const marks = ["a", "b", "c"] as const;
export const prompt = "Set the marks a and b, then c.";
export const finalAnswer = "All three marks are there.";
const texts = { both: "First the two together: ä 語 😀.", third: "Now the third one." };

/** Everything the model says in the job, whatever the weather. */
export const sayings: ReadonlyArray<string> = [texts.both, texts.third, finalAnswer];

/** A tool whose every execution is told. */
export const markTool = (onSet: (name: string) => void): Tool =>
  defineTool({
    name: "mark",
    description: "Sets a mark.",
    input: Schema.Struct({ name: Schema.String, note: Schema.String }),
    risk: "local-write",
    execute: ({ name }) => {
      onSet(name);
      return resultOf(name);
    },
  });

const resultOf = (name: string): string => `mark ${name} is set`;

/**
 * A model that does the job: what it says follows from the results it is shown, so that it goes on after any disturbance.
 * Two calls at once, then one, then the answer.
 */
export const job = ({ body }: Pick<AskedCall, "body">): ScriptedReply => {
  const shown = JSON.stringify(body["messages"] ?? body["input"] ?? null);
  const missing = marks.filter((name) => !shown.includes(resultOf(name)));
  if (missing.length === 0) return { reasoning: "Nothing is left.", text: finalAnswer };
  const together = missing.filter((name) => name !== "c");
  return together.length > 0
    ? { reasoning: "Two go together.", text: texts.both, calls: together.map(callOf) }
    : { reasoning: "One is left.", text: texts.third, calls: [callOf("c")] };
};

const callOf = (name: string): { readonly name: string; readonly input: JsonObject } => ({
  name: "mark",
  input: { name, note: "größer 語" },
});
