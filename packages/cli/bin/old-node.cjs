"use strict";
// Too old a Node: carry on under the one npm put into node_modules (a checkout), else say what is missing.
const { spawn } = require("child_process");
let node;
try {
  node = require.resolve("node-" + process.platform + "-" + process.arch + "/bin/node", { paths: [__dirname] });
} catch (_) {
  console.error("kumiko needs Node.js 24.15 or newer; this is " + process.version + " (" + process.execPath + ")");
  process.exit(1);
}
const child = spawn(node, [process.argv[1]].concat(process.argv.slice(2)), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code)));
