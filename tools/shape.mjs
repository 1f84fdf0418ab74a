// The shape every package has, and the rules that keep files small and pure. Exceptions are listed here, each with its
// reason, and the lists may only shrink. Usage: node tools/shape.mjs [root]
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { packagesIn, report, sourcesIn } from "./workspace.mjs";

const root = resolve(process.argv[2] ?? ".");
const maxCodeLines = 400;
const mayBeLonger = {};
const mayHaveNoReadme = new Set();
const pureLayers = new Set(["contract", "kit", "kernel", "plugin"]);
// The seams: casts are allowed here, because types cannot say what the code knows.
const seams = [
  /^packages\/machine-kit\/src\//,
  /^packages\/core-loop\/src\/(buildKernel|sessionRecords)\.ts$/,
  /^packages\/plugin-api\/src\/internal\/mintedCalls\.ts$/,
];

const errors = [];
const tags = new Map();

/** Lines that are neither blank nor only comment. */
export const codeLines = (text) => {
  let isComment = false;
  let count = 0;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (isComment) {
      isComment = !line.includes("*/");
      continue;
    }
    if (line === "" || line.startsWith("//")) continue;
    if (line.startsWith("/*")) {
      isComment = !line.includes("*/");
      continue;
    }
    count++;
  }
  return count;
};

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`])\/\/.*$/gm, "$1");

const impure = [
  [/\bDate\.now\s*\(|\bnew Date\s*\(\s*\)/, "reads the clock"],
  [/\bMath\.random\s*\(|\bcrypto\.(randomUUID|getRandomValues)\b/, "reads randomness"],
  [/\bprocess\.(env|cwd|argv|exit|platform|stdout|stderr|stdin|on)\b/, "reads the process"],
  [/\bconsole\.\w+/, "prints"],
  [/["']node:/, "imports node:"],
  [/\bset(Timeout|Interval|Immediate)\s*\(/, "uses timers"],
  [/\bfetch\s*\(/, "uses the network"],
];

for (const { dir, folder, json, layer, name } of packagesIn(root)) {
  const at = `packages/${folder}`;
  const need = (file) => {
    if (!existsSync(join(dir, file))) errors.push(`${at}: lacks ${file}`);
  };
  if (name !== `@kumiko/${folder}`) errors.push(`${at}: is named ${name}, not @kumiko/${folder}`);
  if (layer !== "app") {
    need("src/index.ts");
    if (json.exports?.["./internal/*"] !== null) errors.push(`${at}: exports must close ./internal/*`);
  }
  need("tsconfig.json");
  if (!mayHaveNoReadme.has(folder)) need("README.md");
  for (const field of ["description", "license", "version", "engines"])
    if (json[field] === undefined) errors.push(`${at}/package.json: lacks ${field}`);
  for (const peer of ["effect", "xstate"])
    if (layer !== "app" && json.dependencies?.[peer] !== undefined)
      errors.push(`${at}/package.json: ${peer} must be a peer dependency`);
  if (sourcesIn(dir, "test").filter((file) => file.endsWith(".test.ts")).length === 0)
    errors.push(`${at}: has no test/*.test.ts`);

  for (const file of sourcesIn(dir)) {
    const where = `${at}/${file}`;
    const text = readFileSync(join(dir, file), "utf8");
    const code = withoutComments(text);
    const lines = codeLines(text);
    const allowed = mayBeLonger[where] ?? (basename(file) === "index.ts" ? 120 : maxCodeLines);
    if (lines > allowed) errors.push(`${where}: ${lines} code lines; ${allowed} is the most`);
    if (basename(file) === "index.ts" && /^(?!\s*(export|import|\}|\s|type |[A-Za-z]+,|$))/m.test(code))
      errors.push(`${where}: index.ts holds named re-exports only`);
    if (/^\s*export\s+(default|\*)/m.test(code)) errors.push(`${where}: named exports only`);
    if (pureLayers.has(layer) && !file.endsWith(".node.ts"))
      for (const [pattern, what] of impure)
        if (pattern.test(code)) errors.push(`${where}: ${what}; that belongs in a *.node.ts file or a service`);
    if (file.endsWith(".machine.ts") && /\binvoke\s*:|\bspawn(Child)?\s*\(|\bfromPromise\b|\basync\b/.test(code))
      errors.push(`${where}: a machine does not act: no invoke, spawn or promise`);
    if (!seams.some((seam) => seam.test(where)) && /\bas\s+(?!const\b)[A-Za-z{([]/.test(castable(where, code)))
      errors.push(`${where}: casts with "as"; only the seams may`);
    if (/:\s*any\b|<any>|@ts-ignore|@ts-expect-error/.test(code))
      errors.push(`${where}: uses any or silences the compiler`);
    for (const [, tag] of code.matchAll(/Tagged(?:Error|Class)<\w+>\(\)\(\s*"(\w+)"/g)) {
      const before = tags.get(tag);
      if (before !== undefined) errors.push(`${where}: the tag ${tag} is taken by ${before}`);
      tags.set(tag, where);
    }
  }
}

// `import { a as b }`, `export { a as b }`, `import * as X` are renames, not casts; words in texts are neither.
// A machine names its types by `{} as Context`, which is XState's own way.
function castable(where, code) {
  return (where.endsWith(".machine.ts") ? code.replace(/\{\} as \w+/g, "") : code)
    .replace(/\b(?:import|export)\b[^;]*?\bfrom\b/g, "")
    .replace(/\bexport\s*\{[^}]*\}/g, "")
    .replace(/`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""')
    .replace(/\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g, "0");
}
report("shape", errors);
