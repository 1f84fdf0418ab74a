// Writes the root tsconfig.json: references to every package, so that `tsc -b` builds all of them.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const references = globSync("packages/*/tsconfig.json")
  .toSorted()
  .map((file) => ({ path: dirname(file) }));
const text = `${JSON.stringify({ files: [], references }, null, 2)}\n`;
const file = "tsconfig.json";
const before = (() => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
})();
if (before !== text) writeFileSync(file, text);
