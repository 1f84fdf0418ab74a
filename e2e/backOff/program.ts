// The job of the weather tests in a process of its own: begins it, or goes on with what an earlier one left. Tells its
// events on standard output, one a line. usage: program.ts <folder> <base URL> <wire format>
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { defineHarness } from "@kumiko/core-loop";
import { layerSqlite } from "@kumiko/journal/sqlite";
import { wireFormats } from "@kumiko/models/testing";
import { permissionEngine } from "@kumiko/permission-engine";
import type { RunEvent } from "@kumiko/plugin-api";
import { modelOn } from "../modelOn.ts";
import { markTool, prompt } from "../weather/job.ts";

const [, , folder = ".", baseUrl = "", wanted] = process.argv;
const wire = wireFormats.find((one) => one === wanted) ?? "chat";
const harness = defineHarness({
  model: modelOn(wire, { baseUrl }),
  permissions: permissionEngine({ mode: "auto", allow: ["mark"] }),
  tools: [markTool((name) => appendFileSync(join(folder, "executed.log"), `${name}\n`))],
  sessions: layerSqlite({ directory: join(folder, "sessions") }),
});
const tell = async (events: AsyncIterable<RunEvent>): Promise<boolean> => {
  let hasAny = false;
  for await (const event of events) {
    hasAny = true;
    console.log(JSON.stringify(event));
  }
  return hasAny;
};
if (!(await tell(harness.resume("main")))) await tell(harness.stream(prompt));
await harness.dispose();
