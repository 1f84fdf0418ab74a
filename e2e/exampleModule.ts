import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The `@example` blocks of a source file, without the comment's stars. */
export const examplesIn = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/@example\n\s*\* ```ts\n([\s\S]*?)\n\s*\* ```/g)].map(([, block = ""]) =>
    block.replaceAll(/^\s*\* ?/gm, ""),
  );

const effectModules = ["Effect", "Layer", "Schema", "Stream", "Result", "Context"];

/** What each package exports, by name: its index files are lists of named re-exports. */
const publicNames = (root: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const file of globSync("packages/*/package.json", { cwd: root })) {
    const { exports = {}, name } = JSON.parse(readFileSync(join(root, file), "utf8"));
    for (const [entry, target] of Object.entries<Record<string, string> | string | null>(exports)) {
      const source = typeof target === "object" ? target?.["@kumiko/source"] : undefined;
      if (source === undefined) continue;
      const from = `${name}${entry.slice(1)}`;
      for (const [, list = ""] of readFileSync(join(root, dirname(file), source), "utf8").matchAll(
        /export \{([^}]*)\}/g,
      ))
        for (const item of list.split(",").map((text) => text.trim()))
          if (item !== "" && !item.startsWith("type ")) found.set(item, from);
    }
  }
  return found;
};

const namesDeclaredIn = (file: string): ReadonlyArray<string> =>
  existsSync(file)
    ? [...readFileSync(file, "utf8").matchAll(/export (?:const|class|function) (\w+)/g)].map(([, name]) => name ?? "")
    : [];

// A test runner for examples that register tests: each runs at once, and its failure is the example's.
const runner = `const pending: Array<unknown> = [];
const it = (_name: string, run: () => unknown): void => void pending.push(run());
const describe = (_name: string, run: () => void): void => run();`;

/**
 * A module that runs the example of a source file. Names come from that file, from the package's `test/examples.ts`
 * where it has one, from the packages' public faces and from Effect. `expression // => value` becomes an assertion;
 * a value with an ellipsis only has to be there.
 */
export const exampleModule = (root: string, file: string, code: string): string => {
  const words = new Set(code.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, '""').match(/\b[A-Za-z_]\w*\b/g));
  const known = new Set([...code.matchAll(/\b(?:const|let|class|function) +(\w+)/g)].map(([, name]) => name));
  known.add("it").add("describe");
  const imports = ['import assert from "node:assert/strict";'];
  const take = (names: ReadonlyArray<string>, from: string): void => {
    const wanted = names.filter((name) => words.has(name) && !known.has(name));
    for (const name of wanted) known.add(name);
    if (wanted.length > 0) imports.push(`import { ${wanted.join(", ")} } from ${JSON.stringify(from)};`);
  };
  const fixtures = join(root, file.split("/").slice(0, 2).join("/"), "test/examples.ts");
  take(namesDeclaredIn(fixtures), fixtures);
  take(namesDeclaredIn(join(root, file)), join(root, file));
  for (const [name, from] of publicNames(root)) take([name], from);
  for (const name of effectModules)
    if (words.has(name) && !known.has(name)) imports.push(`import * as ${name} from "effect/${name}";`);
  const body = code
    .replaceAll(/^\s*import .*$/gm, "")
    .replaceAll(
      /^(\s*)(?!const |let |\/\/)(.+?);?\s*\/\/ => (.+)$/gm,
      (_, indent: string, left: string, right: string) =>
        right.includes("…")
          ? `${indent}assert.ok(await (${left}));`
          : `${indent}assert.deepEqual(await (${left}), ${right});`,
    )
    .replaceAll(/^const (\w+) = (.+?);?\s*\n\/\/ => (.+)$/gm, "const $1 = $2;\nassert.deepEqual($1, $3);");
  return `${imports.join("\n")}\n${runner}\n${body}\nawait Promise.all(pending);\n`;
};
