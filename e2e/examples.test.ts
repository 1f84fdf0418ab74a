import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);

/** What a file says that it prints: the rest of the line after each `// prints:`. */
const promised = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/\/\/ prints: (.*)$/gm)].map(([, text]) => text ?? "");

describe("every example runs and prints what it says", () => {
  for (const file of globSync("examples/*.ts", { cwd: root }).toSorted())
    it(file, async () => {
      const { stdout } = await run(process.execPath, ["-C", "@kumiko/source", file], { cwd: root });
      const lines = promised(readFileSync(`${root}/${file}`, "utf8"));
      expect(lines.length).toBeGreaterThan(0);
      expect(stdout.trim().split("\n")).toEqual(lines);
    });
});
