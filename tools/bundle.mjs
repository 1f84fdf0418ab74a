// Bundles the command line into one file and writes its help text beside it, which the fast path prints as it is.
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";

const quiet = { stdio: ["ignore", "ignore", "inherit"] };
mkdirSync("packages/cli/dist", { recursive: true });
execFileSync("node_modules/.bin/rolldown", ["-c", "packages/cli/rolldown.config.mjs"], quiet);
const help = execFileSync(process.execPath, ["packages/cli/dist/kumiko.mjs", "--help"], {
  encoding: "utf8",
  env: { PATH: process.env.PATH, NO_COLOR: "1" },
});
writeFileSync("packages/cli/dist/help.txt", help);
console.log(
  `bundled packages/cli/dist/kumiko.mjs: ${Math.round(statSync("packages/cli/dist/kumiko.mjs").size / 1024)} kB`,
);
