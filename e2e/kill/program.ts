// A session of twenty turns that may be killed at any moment: reads, writes, edits, commands, an approval, a message from
// outside. Started again in the same folder, it goes on. usage: program.ts <folder> [failpoint as JSON]
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineHarness } from "@kumiko/core-loop";
import { layerSqlite } from "@kumiko/journal/sqlite";
import { Failpoints } from "@kumiko/journal/testing";
import { localTools } from "@kumiko/local-tools";
import { permissionEngine } from "@kumiko/permission-engine";
import { type Tool, Tools } from "@kumiko/plugin-api";
import { Inbox, Runs } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import { playwright } from "./playwright.ts";

const [, , folder = ".", failpoint] = process.argv;
const failpoints = new Failpoints(failpoint === undefined ? undefined : JSON.parse(failpoint));
const work = join(folder, "work");
const log = (name: string, line: string): void => appendFileSync(join(folder, name), `${line}\n`);

const dying = (tool: Tool): Tool => ({
  ...tool,
  inspect: (input, cwd) => Result.map(tool.inspect(input, cwd), (call) => failpoints.call(call)),
});
// Every tool of the harness, wrapped: a plugin that stands for another.
const tools = localTools({ root: work });
const watchedTools = {
  ...tools,
  contributions: Effect.map(tools.contributions, (contributions) => [
    ...contributions.filter(({ point }) => point !== Tools.id),
    ...Tools.valuesIn(contributions).map((tool) => Tools.add(dying(tool))),
  ]),
};

const sessions = failpoints.sessions(layerSqlite({ directory: join(folder, "sessions") }));
const harness = defineHarness({
  model: playwright((problem) => log("invalid.log", problem)),
  permissions: permissionEngine({ mode: "accept-edits", allow: ["echo *"] }),
  plugins: [watchedTools],
  onQuestion: () => {
    log("asked.log", "asked");
    return { type: "approve" };
  },
  sessions,
});

const acceptedLog = join(folder, "accepted.log");
const wasAccepted = (what: string): boolean =>
  existsSync(acceptedLog) && readFileSync(acceptedLog, "utf8").split("\n").includes(what);

const program = Effect.gen(function* () {
  const runs = yield* Runs;
  const inbox = yield* Inbox;
  const unfinished = yield* runs.resume("main");
  if (unfinished.length === 0 && !wasAccepted("first")) {
    const handle = yield* runs.start({ sessionKey: "main", input: "first", observed: false });
    log("accepted.log", "first");
    void handle;
  }
  if (!wasAccepted("second")) {
    yield* inbox.post("main", { type: "message", text: "second", delivery: "follow-up" });
    log("accepted.log", "second");
  }
  // Done when nothing is under way, twice in a row: what was posted may still be on its way in.
  for (let quiet = 0; quiet < 2;) {
    const handles = yield* runs.resume("main");
    yield* Effect.forEach(handles, ({ wait }) => wait, { discard: true });
    quiet = handles.length === 0 ? quiet + 1 : 0;
    yield* Effect.sleep(60);
  }
});

await Effect.runPromise(Effect.scoped(Effect.provide(program, Layer.provideMerge(harness, sessions))));
await harness.dispose();
console.log(JSON.stringify(failpoints.counts));
