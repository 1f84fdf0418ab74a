// The same sessions through a whole harness: gate, three phases, journal in memory, event stream.
import { defineHarness } from "@kumiko/core-loop";
import { openAiCompatible } from "@kumiko/models";
import { permissionEngine } from "@kumiko/permission-engine";
import { defineTool, fromJsonSchema } from "@kumiko/plugin-api";

export const setup = ({ baseUrl, tool, sessions: kept }) => {
  const harness = defineHarness({
    model: openAiCompatible({ model: "scripted", baseUrl }),
    permissions: permissionEngine(),
    tools: [
      defineTool({
        name: tool.name,
        description: tool.description,
        input: fromJsonSchema({ type: "object", properties: { key: { type: "string" } }, required: ["key"] }),
        risk: "read",
        execute: (input) => tool.execute(input),
      }),
    ],
    cwd: "/",
    maxIterations: 100_000,
    ...(kept === undefined ? {} : { sessions: kept }),
  });
  let sessions = 0;
  return async () => {
    const { text } = await harness.run("Go.", { sessionKey: `s${sessions++}` });
    return text;
  };
};
