import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineHarness } from "@kumiko/core-loop";
import { auditLog, localTools } from "@kumiko/local-tools";
import { modelFor, openAiCompatible } from "@kumiko/models";
import {
  type AssistantMessage,
  defineTool,
  type JsonObject,
  type LanguageModel,
  type ModelReply,
  type ToolResultPart,
} from "@kumiko/plugin-api";
import { permissionEngine } from "@kumiko/permission-engine";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { afterAll, describe, expect, it } from "vitest";
import { differences } from "./cases/shan-hands-differences.ts";

const Case = Schema.Struct({ id: Schema.String, area: Schema.String, input: Schema.Json, expected: Schema.Json });
type Case = typeof Case.Type;
const file: unknown = JSON.parse(readFileSync(new URL("cases/shan-hands-cases.json", import.meta.url), "utf8"));
const cases = Schema.decodeUnknownSync(Schema.Array(Case))(file);

const made: Array<string> = [];
afterAll(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});
const folder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "kumiko-shan-"));
  made.push(dir);
  return dir;
};

type Calls = ReadonlyArray<readonly [tool: string, input: JsonObject]>;

/** A model that proposes these calls, a reply each, and then ends. */
const proposing = (...replies: ReadonlyArray<Calls>): LanguageModel => {
  let asked = 0;
  return {
    id: "scripted/model",
    generate: () =>
      Effect.sync((): ModelReply => {
        const calls = replies[asked++] ?? [];
        const message: AssistantMessage = {
          role: "assistant",
          parts:
            calls.length === 0
              ? [{ type: "text", text: "The work is over." }]
              : calls.map(([name, input], n) => ({ type: "tool-call", id: `c${asked}-${n}`, name, input })),
        };
        return { message, stopReason: "end", usage: { inputTokens: 1, outputTokens: 1 } };
      }),
  };
};

/** Plays calls in a folder; gives the results in their order, and what the log says of them. */
const play = async (
  cwd: string,
  model: LanguageModel,
  rules: { readonly allow?: ReadonlyArray<string>; readonly deny?: ReadonlyArray<string> } = {},
) => {
  const log = join(folder(), "audit.jsonl");
  const ran: Array<unknown> = [];
  const harness = defineHarness({
    model,
    permissions: permissionEngine({
      mode: "accept-edits",
      allow: [...(rules.allow ?? [])],
      deny: [...(rules.deny ?? [])],
    }),
    plugins: [localTools({ root: cwd }), auditLog({ file: log })],
    tools: ["echo", "work"].map((name) =>
      defineTool({
        name,
        description: "-",
        input: Schema.Struct({ text: Schema.optionalKey(Schema.String) }),
        risk: "read",
        execute: (input) => {
          ran.push({ name, ...input });
          return "done";
        },
      }),
    ),
  });
  const results: Array<ToolResultPart> = [];
  for await (const event of harness.stream("go")) if (event.type === "tool.end") results.push(event.result);
  await harness.dispose();
  const logged = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
  return { results, ran, logged };
};

const works = ({ results }: { readonly results: ReadonlyArray<ToolResultPart> }): string =>
  results.at(-1)?.status === "ok" ? "works" : "refused";

const outcomes: Readonly<Record<string, () => Promise<unknown>>> = {
  "read_tracker-002": async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "a"), "one\n");
    const edit = { path: "a", edits: [{ old: "one", new: "two" }] };
    return works(await play(cwd, proposing([["file_read", { path: "a" }]], [["file_edit", edit]])));
  },
  "read_tracker-004": async () =>
    works(await play(folder(), proposing([["file_write", { path: "new", content: "x" }]]))),
  "read_tracker-008": async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "target"), "one\n");
    symlinkSync("target", join(cwd, "link"));
    const edit = { path: "target", edits: [{ old: "one", new: "two" }] };
    const played = await play(cwd, proposing([["file_read", { path: "link" }]], [["file_edit", edit]]));
    return works(played) === "works" ? "read" : "not read";
  },
  "admission-008": async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "p"), `${"line\n".repeat(20)}`);
    const read = ["file_read", { path: "p", offset: 10 }] as const;
    const edit = { path: "p", edits: [{ old: "line\n".repeat(20), new: "other\n".repeat(20) }] };
    const { results } = await play(
      cwd,
      proposing([["file_read", { path: "p" }]], [read], [["file_edit", edit]], [read]),
    );
    return { aug: results.at(-1)?.text.includes("other") === true ? "runs" : "stale" };
  },
  "admission-009": async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "a"), "one\n");
    const test = ["bash", { command: "echo run >> runs.txt" }] as const;
    const edit = { path: "a", edits: [{ old: "one", new: "two" }] };
    await play(cwd, proposing([["file_read", { path: "a" }]], [test], [["file_edit", edit]], [test]), {
      allow: ["echo *"],
    });
    return { aug: readFileSync(join(cwd, "runs.txt"), "utf8") === "run\nrun\n" ? "runs" : "stale" };
  },
  "admission-015": async () => {
    const { ran, results } = await play(
      folder(),
      proposing([
        ["work", {}],
        ["echo", {}],
      ]),
      { deny: ["tool:work"] },
    );
    const denied = results.find(({ status }) => status !== "ok");
    return denied !== undefined && ran.length === 1 ? "denied gets an error, approved runs" : "otherwise";
  },
  "normalize_json-002": async () => {
    let asked = 0;
    const server = createServer((request, response) => {
      request.resume();
      const call = { index: 0, id: "c1", type: "function", function: { name: "echo", arguments: "" } };
      const [delta, reason] =
        asked++ === 0 ? [{ tool_calls: [call] }, "tool_calls"] : [{ content: "The work is over." }, "stop"];
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const choice of [
        { delta, finish_reason: null },
        { delta: {}, finish_reason: reason },
      ])
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
      response.end("data: [DONE]\n\n");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
    const { ran } = await play(folder(), openAiCompatible({ baseUrl, model: "m" }));
    server.close();
    return JSON.stringify(ran.map((input) => (typeof input === "object" ? { ...input, name: undefined } : input))[0]);
  },
};

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const outcomeOf = async ({ area, id, input }: Case): Promise<unknown> => {
  const { endpoint, text } = fields(input);
  if (area.startsWith("audit.")) {
    const { logged } = await play(folder(), proposing([["echo", { text: String(text) }]]));
    return String(fields(fields(logged[0])["input"])["text"]).replaceAll("[redacted]", "[REDACTED]");
  }
  if (area === "config.local_endpoint") return Result.isSuccess(modelFor(`${String(endpoint)}#m`, {}));
  return outcomes[id]?.();
};

describe("shan's cases of files, calls, the log, sessions and settings", () => {
  it.each(cases.filter(({ id }) => !(id in differences)))("$id: as expected there", async (item) => {
    const got = await outcomeOf(item);
    if (typeof got === "object") expect(item.expected).toMatchObject(got ?? {});
    else expect(got).toEqual(item.expected);
  });

  it("differ where DIFFERENCES.md says so, and nowhere else", () => {
    const told = readFileSync(new URL("../packages/cli/DIFFERENCES.md", import.meta.url), "utf8");
    const rows = [...told.matchAll(/^\| (\S+) +\| (.*?) +\|$/gm)].map(([, id, why]) => [id, why]);
    expect(rows.slice(2)).toEqual(Object.entries(differences));
    for (const id of Object.keys(differences)) expect(cases.map((item) => item.id)).toContain(id);
  });
});
