import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { exampleModule, examplesIn } from "./exampleModule.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
mkdirSync(join(root, "e2e/dist"), { recursive: true });
const work = mkdtempSync(join(root, "e2e/dist/docs-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Runs a module and gives back what it printed, line by line. */
const execute = async (name: string, source: string): Promise<ReadonlyArray<string>> => {
  const file = join(work, name);
  writeFileSync(file, source);
  const lines: Array<string> = [];
  const log = vi.spyOn(console, "log").mockImplementation((...values) => void lines.push(values.join(" ")));
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    await import(file);
  } finally {
    log.mockRestore();
    write.mockRestore();
  }
  return lines;
};

describe("the code of every README runs", () => {
  for (const readme of globSync("packages/*/README.md", { cwd: root }).toSorted()) {
    const folder = basename(dirname(readme));
    const blocks = [...readFileSync(join(root, readme), "utf8").matchAll(/^```ts\n([\s\S]*?)^```/gm)];
    blocks.forEach(([, code = ""], at) => {
      it(`${readme} #${at + 1}`, async () => {
        const lines = await execute(`${folder}-readme-${at}.ts`, code);
        const promised = [...code.matchAll(/\/\/ prints: (.*)$/gm)].map(([, text]) => text ?? "");
        if (promised.length > 0) expect(lines).toEqual(promised);
      });
    });
  }
});

describe("the example of every docstring runs, and what it says holds", () => {
  for (const file of globSync("packages/*/src/**/*.ts", { cwd: root }).toSorted())
    examplesIn(readFileSync(join(root, file), "utf8")).forEach((code, at) => {
      it(`${file} #${at + 1}`, async () => {
        const name = `${file.replaceAll(/[^\w]+/g, "-")}-${at}.ts`;
        await execute(name, exampleModule(root, file, code));
      });
    });
});
