import { appendFileSync, cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineHarness } from "@kumiko/core-loop";
import { contextFiles, localTools } from "@kumiko/local-tools";
import { openAiCompatible, rehearsal } from "@kumiko/models";
import { permissionEngine } from "@kumiko/permission-engine";
import { Audit, type AuditRecord, definePlugin, type LanguageModel, type RunEvent } from "@kumiko/plugin-api";
import type { Question } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { afterEach, describe, expect, it } from "vitest";
import { rehearsalServer } from "./rehearsalServer.ts";

const prompt = "Collect every TODO comment into issues.md";
const made: Array<string> = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});
const project = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "kumiko-todo-"));
  made.push(dir);
  cpSync(fileURLToPath(new URL("../examples/todo-project", import.meta.url)), dir, { recursive: true });
  rmSync(join(dir, "issues.md"), { force: true });
  return dir;
};

const job = async (cwd: string, model: LanguageModel = rehearsal()) => {
  const audit: Array<AuditRecord> = [];
  const questions: Array<Question> = [];
  const events: Array<RunEvent> = [];
  const auditing = definePlugin({
    name: "audit",
    version: "0.0.0",
    api: 1,
    config: Schema.Struct({}),
    contributes: () => [Audit.add((record) => Effect.sync(() => void audit.push(record)))],
  });
  const harness = defineHarness({
    model,
    permissions: permissionEngine(),
    plugins: [localTools({ root: cwd }), contextFiles(), auditing()],
    onQuestion: async (question) => {
      questions.push(question);
      return { type: "approve" };
    },
  });
  for await (const event of harness.stream(prompt)) events.push(event);
  await harness.dispose();
  const last = events.at(-1);
  if (last?.type !== "lifecycle.end") throw new Error(`the run ended with ${JSON.stringify(last)}`);
  return { audit, events, outcome: last.outcome, questions };
};

/** What grep has to find, found in the plainest way. */
const todosIn = (cwd: string): ReadonlyArray<{ readonly path: string; readonly line: number; readonly text: string }> =>
  globSync("src/**/*", { cwd })
    .filter((path) => statSync(join(cwd, path)).isFile())
    .toSorted()
    .flatMap((path) =>
      readFileSync(join(cwd, path), "utf8")
        .split("\n")
        .flatMap((text, at) => (text.includes("TODO") ? [{ path, line: at + 1, text }] : [])),
    );

describe("the TODO job", () => {
  it("takes 3 iterations, 1 approval and 2 executed calls, and writes what is really there, by module", async () => {
    const cwd = project();
    const { audit, outcome, questions } = await job(cwd);
    expect(outcome).toMatchObject({ status: "done", iterations: 3 });
    expect(questions.map(({ tool }) => tool)).toEqual(["file_write"]);
    expect(audit.filter(({ disposition }) => disposition === "executed").map(({ tool }) => tool)).toEqual([
      "grep",
      "file_write",
    ]);
    expect(audit).toHaveLength(2);
    const report = readFileSync(join(cwd, "issues.md"), "utf8");
    const todos = todosIn(cwd);
    expect(todos.length).toBeGreaterThan(5);
    let module = "";
    const reported: Array<string> = [];
    for (const line of report.split("\n")) {
      if (line.startsWith("## ")) module = line.slice(3).replace(/ \(\d+\)$/, "");
      const place = /^- `([^`]+):(\d+)` (.*)$/.exec(line);
      if (place === null) continue;
      const [, path = "", number = "", text = ""] = place;
      expect(path.startsWith(`${module}/`)).toBe(true);
      const todo = todos.find((found) => found.path === path && found.line === Number(number));
      expect(todo?.text).toContain(text);
      reported.push(`${path}:${number}`);
    }
    expect(reported.toSorted()).toEqual(todos.map(({ line, path }) => `${path}:${line}`).toSorted());
  });

  it("sees a TODO that was added later, and not its own report", async () => {
    const cwd = project();
    const first = await job(cwd);
    appendFileSync(join(cwd, "src/billing/tax.py"), "# TODO: a new one\n");
    const second = await job(cwd);
    // A session replaces no file that it has not read: the report of the first is read before.
    expect(second.outcome).toMatchObject({ status: "done", iterations: 5 });
    expect(first.outcome.text).not.toBe(second.outcome.text);
    const report = readFileSync(join(cwd, "issues.md"), "utf8");
    expect(report).toContain("a new one");
    expect(report).not.toContain("issues.md:");
  });

  it("the write invalidates the cached reads: an identical grep later in the session runs again", async () => {
    const cwd = project();
    const audit: Array<AuditRecord> = [];
    const auditing = definePlugin({
      name: "audit",
      version: "0.0.0",
      api: 1,
      config: Schema.Struct({}),
      contributes: () => [Audit.add((record) => Effect.sync(() => void audit.push(record)))],
    });
    const part = `
- name: look-twice
  when: [twice]
  steps:
    - call: { tool: grep, input: { pattern: TODO } }
    - call: { tool: grep, input: { pattern: TODO } }
    - call: { tool: file_write, input: { path: src/extra.ts, content: "// TODO: one more\\n" } }
    - call: { tool: grep, input: { pattern: TODO } }
    - say: "{{ last.text }}"
`;
    const harness = defineHarness({
      model: rehearsal({ parts: part }),
      permissions: permissionEngine({ mode: "accept-edits" }),
      plugins: [localTools({ root: cwd }), auditing()],
    });
    const { text } = await harness.run("Look twice");
    await harness.dispose();
    expect(audit.map(({ disposition, tool }) => `${tool} ${disposition}`)).toEqual([
      "grep executed",
      "grep reused",
      "file_write executed",
      "grep executed",
    ]);
    expect(text).toContain("one more");
  });

  it("writes nothing when nobody can be asked, and says so", async () => {
    const cwd = project();
    const harness = defineHarness({
      model: rehearsal(),
      permissions: permissionEngine(),
      plugins: [localTools({ root: cwd })],
    });
    const outcome = await harness.run(prompt);
    await harness.dispose();
    expect(outcome.status).toBe("denied");
    expect(existsSync(join(cwd, "issues.md"))).toBe(false);
  });

  it("gives the same file and the same durable events through the OpenAI-compatible client", async () => {
    await using server = await rehearsalServer();
    const [here, there] = [project(), project()];
    const local = await job(here);
    const remote = await job(
      there,
      openAiCompatible({ baseUrl: server.baseUrl, model: "parts", prices: { input: 0, output: 0 } }),
    );
    expect(readFileSync(join(there, "issues.md"), "utf8")).toBe(readFileSync(join(here, "issues.md"), "utf8"));
    const durable = (events: ReadonlyArray<RunEvent>, cwd: string): ReadonlyArray<unknown> =>
      events
        .filter(({ type }) => !type.endsWith(".delta") && type !== "tool.update" && type !== "lifecycle.start")
        .map(({ runId, seq: _seq, time: _time, ...event }) =>
          JSON.parse(
            JSON.stringify(event)
              .replaceAll(runId, "RUN")
              .replaceAll(cwd, "CWD")
              // An approval is for its folder: the question's id holds a digest of it.
              .replaceAll(/\/[0-9a-f]{32}"/g, '/DIGEST"'),
          ),
        );
    expect(durable(remote.events, there)).toEqual(durable(local.events, here));
    for (const { events } of [local, remote]) {
      const text = (parts: ReadonlyArray<{ readonly type: string; readonly text?: string }>): string =>
        parts.map(({ text: said, type }) => (type === "text" ? said : "")).join("");
      const deltas = events.map((event) => (event.type === "assistant.delta" ? event.text : "")).join("");
      const messages = events
        .map((event) => (event.type === "assistant.end" ? text(event.message.parts) : ""))
        .join("");
      expect(deltas).toBe(messages);
    }
  });
});
