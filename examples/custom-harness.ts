import { defineHarness } from "@kumiko/core-loop";
import { localTools } from "@kumiko/local-tools";
import { rehearsal } from "@kumiko/models";
import { permissionEngine } from "@kumiko/permission-engine";
import { defineTool } from "@kumiko/plugin-api";
import { Schema } from "effect";

const countWords = defineTool({
  name: "count_words",
  description: "Counts the words of a text.",
  input: Schema.Struct({ text: Schema.String }),
  risk: "read",
  execute: ({ text }) => `${text.trim().split(/\s+/).length} words`,
});

const part = `
- name: counting
  when: [count]
  steps:
    - call: { tool: count_words, input: { text: "small pieces joined without nails" } }
    - say: "It has {{ last.text }}."
`;

const harness = defineHarness({
  model: rehearsal({ parts: part }),
  permissions: permissionEngine({ mode: "plan" }),
  plugins: [localTools({ root: "." })],
  tools: [countWords],
});
const { status, text } = await harness.run("Please count");
console.log(status, text.split("\n")[0]); // prints: done It has 5 words.
await harness.dispose();
