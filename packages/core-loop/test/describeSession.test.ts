import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layerSqlite } from "@kumiko/journal/sqlite";
import { defineTool, type FileChange, ModelCallFailed } from "@kumiko/plugin-api";
import { Journal } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { expect, it } from "vitest";
import { defineHarness, describeSession, planRewind } from "../src/index.ts";
import { calling, gate, scripted } from "./support.ts";

const state = (digest: string) => ({ digest, mode: 0o644, sizeBytes: 1 });
const change = (path: string, before: string | null, after: string, kept = true): FileChange => ({
  path,
  before: before === null ? null : state(before),
  ...(before === null || !kept ? {} : { beforeBytes: new TextEncoder().encode(before) }),
  after: { digest: after },
});

it("a session is described by its records, and a rewind of it is planned", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kumiko-describe-"));
  try {
    const changes: Record<string, ReadonlyArray<FileChange>> = {
      a1: [change("/w/a", null, "a1")],
      a2: [change("/w/a", "a1", "a2"), change("/w/b", "b0", "b1")],
      a3: [change("/w/a", "a2", "a3"), change("/w/large", "l0", "l1", false)],
    };
    const write = defineTool({
      name: "write",
      description: "-",
      input: Schema.Struct({ what: Schema.String }),
      risk: "local-write",
      prepare: ({ what }) => changes[what] ?? [],
      execute: () => "ok",
    });
    const sh = defineTool({
      name: "sh",
      description: "-",
      input: Schema.Struct({ command: Schema.String }),
      risk: "local-write",
      execute: () => "ok",
    });
    const read = defineTool({
      name: "read",
      description: "-",
      input: Schema.Struct({}),
      risk: "read",
      execute: () => "ok",
    });
    const { model } = scripted(
      calling(["write", { what: "a1" }]),
      "one is done",
      calling(["write", { what: "a2" }]),
      calling(["sh", { command: "make" }], ["read", {}]),
      "two is done",
      calling(["write", { what: "a3" }]),
      "three is done",
    );
    const harness = defineHarness({
      model,
      permissions: gate(),
      tools: [write, sh, read],
      cwd: "/w",
      sessions: layerSqlite({ directory }),
    });
    for (const prompt of ["one", "two", "three"]) await harness.run(prompt);
    await harness.dispose();

    const inJournal = <A, E>(effect: Effect.Effect<A, E, Journal>) =>
      Effect.runPromise(Effect.provide(effect, layerSqlite({ directory })));
    const records = await inJournal(Effect.flatMap(Journal, (journal) => journal.read("main")));
    const session = describeSession(records);
    expect(session).toMatchObject({ cwd: "/w", model: "scripted/test", usage: { inputTokens: 70, outputTokens: 35 } });
    expect(session.runs.map(({ iterations, prompt, status }) => ({ iterations, prompt, status }))).toEqual([
      { prompt: "one", status: "done", iterations: 2 },
      { prompt: "two", status: "done", iterations: 3 },
      { prompt: "three", status: "done", iterations: 2 },
    ]);
    expect(session.runs[1]?.calls.map(({ isIntended, status, tool }) => [tool, status, isIntended])).toEqual([
      ["write", "ok", true],
      ["sh", "ok", true],
      ["read", "ok", false],
    ]);

    const plan = planRewind(records, session.runs[1]?.runId ?? "");
    expect(plan?.prompts).toEqual(["two", "three"]);
    expect(plan?.files).toEqual([
      { path: "/w/a", target: state("a1"), expectedDigest: "a3" },
      { path: "/w/b", target: state("b0"), expectedDigest: "b1" },
    ]);
    expect(plan?.irreversible).toEqual([
      'sh {"command":"make"}',
      "/w/large: its content (1 bytes) was too large to be kept",
    ]);
    expect(planRewind(records, session.runs[0]?.runId ?? "")?.files[0]).toEqual({
      path: "/w/a",
      target: null,
      expectedDigest: "a3",
    });
    expect(planRewind(records, "nothing")).toBeUndefined();
    const kept = await inJournal(Effect.flatMap(Journal, (journal) => journal.blob("main", "00")));
    expect(kept).toBeUndefined();

    // Taken back, it goes on from there; what was said stays written.
    await inJournal(
      Effect.scoped(
        Effect.flatMap(
          Effect.flatMap(Journal, (journal) => journal.open("main")),
          (writer) => writer.append(plan?.entries ?? []),
        ),
      ),
    );
    const later = scripted("and on");
    const second = defineHarness({ model: later.model, permissions: gate(), sessions: layerSqlite({ directory }) });
    expect(await second.run("instead")).toMatchObject({ text: "and on" });
    await second.dispose();
    const said = JSON.stringify(later.requests[0]?.messages);
    expect(said).toContain("one is done");
    expect(said).not.toContain("two");
    expect(
      describeSession(await inJournal(Effect.flatMap(Journal, (journal) => journal.read("main")))).runs.map(
        ({ prompt }) => prompt,
      ),
    ).toEqual(["one", "instead"]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

it("what failed calls cost counts", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kumiko-describe-"));
  try {
    const broke = new ModelCallFailed({
      reason: "network",
      model: "s/s",
      detail: "it broke",
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    const harness = defineHarness({
      model: scripted(broke, "there").model,
      permissions: gate(),
      retry: { baseMillis: 1 },
      sessions: layerSqlite({ directory }),
    });
    const { usage } = await harness.run("go");
    await harness.dispose();
    const records = await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(Journal, (journal) => journal.read("main")),
        layerSqlite({ directory }),
      ),
    );
    const described = describeSession(records);
    expect(usage).toMatchObject({ inputTokens: 17, outputTokens: 8 });
    expect(described.usage).toEqual(usage);
    expect(described.runs[0]?.usage).toEqual(usage);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
