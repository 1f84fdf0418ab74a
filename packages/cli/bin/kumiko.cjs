#!/usr/bin/env node
// Plain CommonJS that parses on any Node >= 10: answers --version and --help from files, gets a new enough Node, loads
// the program.
"use strict";
const args = process.argv.slice(2);
const only = args.length === 1 ? args[0] : "";
const helpText = () => {
  try {
    return require("fs").readFileSync(require("path").join(__dirname, "../dist/help.txt"), "utf8");
  } catch (_) {
    return undefined;
  }
};
const text =
  only === "--version" || only === "-v"
    ? "kumiko " + require("../package.json").version + "\n"
    : only === "--help" || only === "-h"
      ? helpText()
      : undefined;
if (text !== undefined) process.stdout.write(text);
else {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 24 || (major === 24 && minor >= 15)) {
    require("node:module").enableCompileCache();
    import("../dist/kumiko.mjs");
  } else {
    require("./old-node.cjs");
  }
}
