// The packages of a workspace, as the checks see them. `root` is a folder with `packages/*`.
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

export const packagesIn = (root) =>
  globSync("packages/*/package.json", { cwd: root })
    .toSorted()
    .map((file) => {
      const dir = dirname(join(root, file));
      const json = readJson(join(root, file));
      return {
        dir,
        folder: basename(dir),
        json,
        name: json.name,
        layer: json.nx?.tags?.find((tag) => tag.startsWith("layer:"))?.slice("layer:".length),
      };
    });

/** Source files of a folder below a package: `/`-separated paths relative to the package. */
export const sourcesIn = (dir, under = "src") =>
  globSync(`${under}/**/*.{ts,tsx,mts,cts,mjs,cjs}`, { cwd: dir })
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted();

/** What a source file imports: every specifier of import, export-from and dynamic import. */
export const importsOf = (text) => {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const found = new Set();
  const patterns = [
    /^\s*(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"'\n]+)["']/gm,
    /^\s*import\s*["']([^"'\n]+)["']/gm,
    /\bimport\s*\(\s*["']([^"'\n]+)["']/g,
  ];
  for (const pattern of patterns) for (const match of code.matchAll(pattern)) found.add(match[1]);
  return [...found];
};

/** Prints the errors and ends the process: 1 where there are any. */
export const report = (check, errors) => {
  for (const error of errors) console.error(`${check}: ${error}`);
  process.exit(errors.length > 0 ? 1 : 0);
};
