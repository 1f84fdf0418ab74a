import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Audit, type AuditRecord } from "@kumiko/plugin-api";
import { pluginConformance, registerConformance } from "@kumiko/plugin-api/testing";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { afterEach, describe, expect, it } from "vitest";
import { auditFiles, auditLog } from "../src/index.ts";

const made: Array<string> = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});
const folder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "kumiko-audit-"));
  made.push(dir);
  return dir;
};
const record = (callId: string, input: AuditRecord["input"]): AuditRecord => ({
  schemaVersion: 1,
  time: 1,
  runId: "r",
  sessionKey: "s",
  iteration: 1,
  callId,
  tool: "bash",
  input,
  disposition: "executed",
  status: "ok",
  decision: {
    verdict: "allow",
    layer: "allow-rule",
    reason: "a rule allows it",
    risk: "read",
    resources: [],
    effects: [],
  },
});
const write = (file: string, ...records: ReadonlyArray<AuditRecord>): Promise<void> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const [sink] = Audit.valuesIn(yield* auditLog({ file }).contributions);
      if (sink === undefined) throw new Error("no sink");
      yield* Effect.forEach(records, sink, { concurrency: "unbounded", discard: true });
    }),
  );

describe("auditLog", () => {
  registerConformance(
    it,
    pluginConformance(() => auditLog({ file: "unused.jsonl" }), Layer.empty),
  );

  it("appends one whole line a record, also when many come at once, and keeps what is there", async () => {
    const file = join(folder(), "deep/audit.jsonl");
    const long = "x".repeat(1500);
    await write(file, record("first", {}));
    await write(file, ...Array.from({ length: 50 }, (_, n) => record(`c${n}`, { long })));
    const lines = readFileSync(file, "utf8").trim().split("\n");
    const ids = lines.map((line) => JSON.parse(line).callId);
    expect(ids[0]).toBe("first");
    expect(new Set(ids).size).toBe(51);
  });

  it("is the user's alone, and does not loosen a file that is", async () => {
    const file = join(folder(), "audit.jsonl");
    await write(file, record("a", {}));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o400);
    await write(file, record("b", {})).catch(() => {}); // refused, except to root
    expect(statSync(file).mode & 0o777).toBe(0o400);
  });

  it("hides secrets before it cuts, so that no half of one is left", async () => {
    const file = join(folder(), "audit.jsonl");
    const secret = `ghp_${"A1b2".repeat(9)}`;
    const input = { text: `${"y".repeat(1_990)}${secret} ${"z".repeat(500)}` };
    await write(file, record("a", input));
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain("ghp_");
    expect(text).toMatch(/more characters\)/);
  });

  it("fails where it cannot write, with the reason", async () => {
    const blocked = join(folder(), "file");
    writeFileSync(blocked, "");
    await expect(write(join(blocked, "audit.jsonl"), record("a", {}))).rejects.toThrow(/ENOTDIR|EEXIST/);
  });

  it("goes on in a new file when one is full, loses no line to several processes, and keeps a bounded number", async () => {
    const dir = folder();
    const file = join(dir, "audit.jsonl");
    const script = join(dir, "writer.mts");
    writeFileSync(
      script,
      `import { Audit } from ${JSON.stringify(import.meta.resolve("@kumiko/plugin-api"))};
       import * as Effect from ${JSON.stringify(import.meta.resolve("effect/Effect"))};
       import { auditLog } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
       const [sink] = Audit.valuesIn(await Effect.runPromise(auditLog({ file: ${JSON.stringify(file)}, maxFileBytes: 4096, maxFiles: 1000 }).contributions));
       const record = ${JSON.stringify(record("c", {}))};
       for (let n = 0; n < 100; n++) await Effect.runPromise(sink({ ...record, callId: process.argv[2] + "-" + n }));`,
    );
    const writers = ["a", "b", "c"];
    const codes = await Promise.all(
      writers.map(
        (name) =>
          new Promise((done) =>
            spawn(process.execPath, ["-C", "@kumiko/source", script, name], { stdio: "inherit" }).on("close", done),
          ),
      ),
    );
    expect(codes).toEqual([0, 0, 0]);
    const files = await auditFiles(file);
    expect(files.length).toBeGreaterThan(10);
    const ids = files.flatMap((one) =>
      existsSync(one)
        ? readFileSync(one, "utf8")
            .split("\n")
            .filter((line) => line !== "")
            .map((line): unknown => JSON.parse(line).callId)
        : [],
    );
    expect(ids.toSorted()).toEqual(
      writers.flatMap((name) => Array.from({ length: 100 }, (_, n) => `${name}-${n}`)).toSorted(),
    );

    const small = join(folder(), "log");
    const [sink] = Audit.valuesIn(
      await Effect.runPromise(auditLog({ file: small, maxFileBytes: 1024, maxFiles: 2 }).contributions),
    );
    for (let n = 0; n < 30; n++) await Effect.runPromise(sink?.(record(`c${n}`, {})) ?? Effect.void);
    const kept = await auditFiles(small);
    expect(kept).toHaveLength(3);
    const [oldest = ""] = kept;
    expect(readFileSync(oldest, "utf8")).not.toContain('"c0"');
    expect(statSync(oldest).mode & 0o777).toBe(0o600);
  });
});
