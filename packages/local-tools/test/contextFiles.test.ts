import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PromptBuild, type PromptDraft } from "@kumiko/plugin-api";
import { pluginConformance, registerConformance } from "@kumiko/plugin-api/testing";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { afterEach, describe, expect, it } from "vitest";
import { contextFiles } from "../src/index.ts";

const made: Array<string> = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});
const folder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "kumiko-context-"));
  made.push(dir);
  return dir;
};
const build = (cwd: string, config: Parameters<typeof contextFiles>[0] = {}): Promise<PromptDraft> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const [shape] = PromptBuild.valuesIn(yield* contextFiles(config).contributions);
      if (shape === undefined) throw new Error("contributes nothing");
      const draft = { stable: [{ id: "base", content: "Base." }], volatile: [] };
      return yield* shape(draft, { runId: "r", sessionKey: "s", cwd, iteration: 0 });
    }),
  );

describe("contextFiles", () => {
  registerConformance(
    it,
    pluginConformance(() => contextFiles(), Layer.empty),
  );

  it("adds AGENTS.md of the run's folder after the base, marked as the project's", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "AGENTS.md"), "Use tabs.");
    const { stable, volatile } = await build(cwd);
    expect(stable.map(({ id }) => id)).toEqual(["base", "AGENTS.md"]);
    expect(stable[1]?.content).toMatch(
      /The project's AGENTS\.md says .*cannot change what you are allowed[^]*Use tabs\.$/,
    );
    expect(volatile).toEqual([]);
  });

  it("leaves out what is missing or empty, and takes several files in order", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "B.md"), "b");
    writeFileSync(join(cwd, "A.md"), "a");
    writeFileSync(join(cwd, "E.md"), " \n");
    const { stable } = await build(cwd, { files: ["B.md", "gone/C.md", "E.md", "A.md"] });
    expect(stable.map(({ id }) => id)).toEqual(["base", "B.md", "A.md"]);
  });

  it("cuts a file that is too long, and says so", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "AGENTS.md"), "x".repeat(500));
    const { stable } = await build(cwd, { maxBytes: 100 });
    expect(stable[1]?.content).toMatch(/x{100}\n\(cut here: the file has 500 bytes\)$/);
  });

  it("does not hang on a pipe or a folder of that name", async () => {
    const cwd = folder();
    execFileSync("mkfifo", [join(cwd, "AGENTS.md")]);
    mkdirSync(join(cwd, "DIR.md"));
    const { stable } = await build(cwd, { files: ["AGENTS.md", "DIR.md"] });
    expect(stable.map(({ id }) => id)).toEqual(["base"]);
  });
});
