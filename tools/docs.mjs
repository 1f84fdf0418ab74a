// Checks what documents say about the repository: links and quoted files, the size of AGENTS.md, the reason of every
// dependency, no paths of a machine. Usage: node tools/docs.mjs [root]
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { packagesIn, readJson, report } from "./workspace.mjs";

const root = resolve(process.argv[2] ?? ".");
const errors = [];
const read = (file) => readFileSync(join(root, file), "utf8");
const documents = globSync(["*.md", "docs/**/*.md", "packages/*/README.md", "examples/*.md"], { cwd: root }).toSorted();

for (const file of documents) {
  const text = read(file);
  for (const [, target] of text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g))
    if (!/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(file), target)))
      errors.push(`${file}: links to ${target}, which is not there`);
  for (const [, path] of text.matchAll(/`((?:packages|tools|docs|examples|e2e)\/[\w./-]+\.\w+)`/g))
    if (!existsSync(join(root, path))) errors.push(`${file}: names ${path}, which is not there`);
  for (const [, source, code] of text.matchAll(/<!-- (examples\/[\w./-]+) -->\n```ts\n([\s\S]*?)```/g))
    if (!existsSync(join(root, source)) || read(source) !== code)
      errors.push(`${file}: the code below <!-- ${source} --> is not what that file holds`);
  if (/(^|[\s("'`])\/(home|root|Users|work)\//m.test(text)) errors.push(`${file}: holds the path of some machine`);
}
const agentsBytes = Buffer.byteLength(read("AGENTS.md"));
if (agentsBytes > 8192) errors.push(`AGENTS.md has ${agentsBytes} bytes; 8192 is the most`);

const listed = read("docs/dependencies.md");
const manifests = [readJson(join(root, "package.json")), ...packagesIn(root).map(({ json }) => json)];
const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
const names = new Set(manifests.flatMap((json) => kinds.flatMap((kind) => Object.keys(json[kind] ?? {}))));
for (const name of [...names].toSorted())
  if (!name.startsWith("@kumiko/") && !listed.includes(`\`${name}\``))
    errors.push(`docs/dependencies.md: lacks a row for ${name}`);
for (const json of manifests)
  for (const kind of ["dependencies", "devDependencies", "optionalDependencies"])
    for (const [name, range] of Object.entries(json[kind] ?? {}))
      if (!name.startsWith("@kumiko/") && !/^\d+\.\d+\.\d+/.test(range))
        errors.push(`${json.name}: ${name} is ${range}; pin an exact version`);
report("docs", errors);
