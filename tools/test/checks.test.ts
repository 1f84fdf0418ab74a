import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const made: Array<string> = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A small workspace of three packages in three layers, sound until a test breaks it. */
const workspace = (change: Readonly<Record<string, string>> = {}): string => {
  const root = mkdtempSync(join(tmpdir(), "kumiko-checks-"));
  made.push(root);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const add = (folder: string, layer: string, uses: ReadonlyArray<string>): void => {
    const at = `packages/${folder}`;
    write(
      `${at}/package.json`,
      JSON.stringify({
        name: `@kumiko/${folder}`,
        version: "0.1.0",
        description: "-",
        license: "MIT",
        engines: { node: ">=24" },
        exports: { ".": "./src/index.ts", "./internal/*": null },
        dependencies: Object.fromEntries(uses.map((name) => [`@kumiko/${name}`, "^0.1.0"])),
        peerDependencies: { effect: "^4.1.0" },
        nx: { tags: [`layer:${layer}`] },
      }),
    );
    write(`${at}/tsconfig.json`, JSON.stringify({ references: uses.map((name) => ({ path: `../${name}` })) }));
    write(`${at}/README.md`, "# It\n");
    write(`${at}/src/index.ts`, `export { value } from "./value.ts";\n`);
    write(`${at}/src/value.ts`, `import * as Effect from "effect/Effect";\nexport const value = Effect.void;\n`);
    write(`${at}/test/value.test.ts`, "");
  };
  add("plugin-api", "contract", []);
  add("core-loop", "kernel", ["plugin-api"]);
  add("hooks", "plugin", ["plugin-api"]);
  for (const [file, text] of Object.entries(change)) write(file, text);
  return root;
};

/** What a check says about a workspace; empty where it has nothing to say. */
const check = (tool: string, root: string): string => {
  try {
    execFileSync(process.execPath, [join(repository, "tools", tool), root], { encoding: "utf8", stdio: "pipe" });
    return "";
  } catch (error) {
    return error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
  }
};

describe("boundaries", () => {
  const boundaries = (change?: Readonly<Record<string, string>>): string => check("boundaries.mjs", workspace(change));
  const manifest = (dependencies: object, layer: string, more: object = {}): string =>
    JSON.stringify({ name: "@kumiko/hooks", dependencies, nx: { tags: [`layer:${layer}`] }, ...more });

  it("says nothing about a sound workspace", () => expect(boundaries()).toBe(""));

  it("refuses a plugin that depends on a kernel", () => {
    expect(
      boundaries({ "packages/hooks/package.json": manifest({ "@kumiko/core-loop": "^0.1.0" }, "plugin") }),
    ).toMatch(/hooks\/package\.json: layer plugin may not import layer kernel/);
  });

  it("refuses it as a peer dependency too", () => {
    const text = manifest({}, "plugin", { peerDependencies: { "@kumiko/core-loop": "^0.1.0" } });
    expect(boundaries({ "packages/hooks/package.json": text })).toMatch(/may not import layer kernel/);
  });

  it.each([
    [`import { value } from "@kumiko/core-loop";\nexport const v = value;\n`, /@kumiko\/core-loop is not declared/],
    [`export { value } from "../../core-loop/src/value.ts";\n`, /leaves the package/],
    [`export const load = () => import("undici");\n`, /undici is not declared/],
    [`import { value } from "@kumiko/hooks";\nexport const v = value;\n`, /imports its own package/],
    [`export { value } from "@kumiko/plugin-api/src/value.ts";\n`, /import the package, not its files/],
  ])("refuses what a source really imports: %s", (source, text) => {
    expect(boundaries({ "packages/hooks/src/value.ts": source })).toMatch(text);
  });

  it("is not fooled by imports in comments and texts", () => {
    const source = `// import "undici"\n/* from "undici" */\nexport const value = 'says from "undici"';\n`;
    expect(boundaries({ "packages/hooks/src/value.ts": source })).toBe("");
  });

  it("refuses references that are not the dependencies, unknown layers and cycles", () => {
    expect(boundaries({ "packages/hooks/tsconfig.json": `{"references":[]}` })).toMatch(/lacks the reference/);
    expect(boundaries({ "packages/hooks/package.json": manifest({}, "attic") })).toMatch(/no known layer/);
    const cyclic = workspace({
      "packages/plugin-api/package.json": JSON.stringify({
        name: "@kumiko/plugin-api",
        dependencies: { "@kumiko/core-loop": "^0.1.0" },
        nx: { tags: ["layer:contract"] },
      }),
    });
    expect(check("boundaries.mjs", cyclic)).toMatch(/cycle: /);
  });
});

describe("shape", () => {
  const shape = (change?: Readonly<Record<string, string>>): string => check("shape.mjs", workspace(change));
  const source = (text: string): string => shape({ "packages/hooks/src/value.ts": text });

  it("says nothing about a sound workspace", () => expect(shape()).toBe(""));

  it("refuses a file over 400 code lines, and counts no comments", () => {
    const lines = (count: number, line: string): string => `${`${line}\n`.repeat(count)}export const value = 1;\n`;
    expect(source(lines(400, "void 0;"))).toMatch(/value\.ts: 401 code lines; 400 is the most/);
    expect(source(lines(399, "void 0;"))).toBe("");
    expect(source(lines(900, "// a comment"))).toBe("");
  });

  it.each([
    ["export const value = Date.now();", /reads the clock/],
    ["export const value = Math.random();", /reads randomness/],
    ["export const value = process.env;", /reads the process/],
    [`import { readFileSync } from "node:fs";\nexport const value = readFileSync;`, /imports node:/],
    ["console.log(1);\nexport const value = 1;", /prints/],
    ["export const value = 1 as unknown;", /casts/],
    ["export const value: any = 1;", /uses any/],
    ["export default 1;", /named exports only/],
  ])("refuses %s", (text, said) => {
    expect(source(text)).toMatch(said);
  });

  it("lets a *.node.ts file use Node, and renames be renames", () => {
    const root = workspace({
      "packages/hooks/src/clock.node.ts": `import { hostname } from "node:os";\nexport const name = hostname() + Date.now();\n`,
      "packages/hooks/src/value.ts": `import { a as b } from "effect/X";\nimport * as C from "effect/Y";\nexport const value = [b, C, "cast as text"] as const;\n`,
    });
    expect(check("shape.mjs", root)).toBe("");
  });

  it("refuses logic in index.ts, a missing README, missing tests and a tag used twice", () => {
    expect(shape({ "packages/hooks/src/index.ts": "export const x = [1].map((n) => n);\nconst y = 1;\n" })).toMatch(
      /named re-exports only/,
    );
    const bare = workspace();
    rmSync(join(bare, "packages/hooks/README.md"));
    rmSync(join(bare, "packages/hooks/test"), { recursive: true });
    const said = check("shape.mjs", bare);
    expect(said).toMatch(/hooks: lacks README\.md/);
    expect(said).toMatch(/hooks: has no test/);
    const twice = `import * as Schema from "effect/Schema";\nexport class Lost extends Schema.TaggedError<Lost>()("Lost", {}) {}\n`;
    expect(shape({ "packages/hooks/src/value.ts": twice, "packages/core-loop/src/value.ts": twice })).toMatch(
      /the tag Lost is taken/,
    );
  });

  it("refuses a machine that acts", () => {
    const text = `export const m = { invoke: { src: "x" } };\n`;
    expect(shape({ "packages/hooks/src/m.machine.ts": text })).toMatch(/a machine does not act/);
  });
});

describe("a failing test", () => {
  it("fails the run, and the last line counts it", () => {
    const root = mkdtempSync(join(tmpdir(), "kumiko-count-"));
    made.push(root);
    mkdirSync(join(root, "tools"), { recursive: true });
    cpSync(join(repository, "tools/count-reporter.mjs"), join(root, "tools/count-reporter.mjs"));
    symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
    writeFileSync(join(root, "package.json"), `{"type":"module"}`);
    writeFileSync(
      join(root, "a.test.ts"),
      `import { expect, test } from "vitest";\ntest("ok", () => {});\ntest("not", () => { expect(1).toBe(2); });\n`,
    );
    let status = 0;
    let stdout = "";
    try {
      execFileSync("node_modules/.bin/vitest", ["run", "--reporter", "./tools/count-reporter.mjs"], {
        cwd: root,
        encoding: "utf8",
        stdio: "pipe",
      });
    } catch (error) {
      if (error instanceof Error && "status" in error && "stdout" in error) {
        status = Number(error.status);
        stdout = String(error.stdout);
      }
    }
    expect(status).toBe(1);
    expect(stdout.trim().split("\n").at(-1)).toBe("1 passed, 1 failed, 0 skipped");
  });
});
