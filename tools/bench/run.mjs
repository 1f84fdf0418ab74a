// npm run bench [-- --rounds 5] [-- --only loop,steps,journal,gate,stream,tools,cli,conversation] [-- --deltas 1000]: what
// the loop costs over a bare one, measured in the same run, alternating. Prints ratios with the line each must keep and the one it aims at. Never part of the tests.
import { execFile, execFileSync, spawn } from "node:child_process";
import { promisify } from "node:util";
import { measureCli } from "./cli.mjs";
import { measureConversation } from "./conversation.mjs";

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const rounds = Number(option("rounds", "5"));
const only = option("only", "loop,steps,journal,gate,stream,tools,cli,conversation").split(",");
const run = promisify(execFile);
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const here = (file) => new URL(file, import.meta.url).pathname;

execFileSync("npm", ["run", "-s", "build"], { stdio: ["ignore", "ignore", "inherit"] });

const startServer = (...args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [here("./scripted-server.mjs"), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.on("exit", () => reject(new Error("the scripted server ended")));
    child.stdout.on("data", (data) => {
      const [, port] = /READY (\d+)/.exec(String(data)) ?? [];
      if (port === undefined) return;
      const url = `http://127.0.0.1:${port}`;
      const get = async (path) => (await fetch(url + path)).json();
      resolve({ url, stats: () => get("/stats"), reset: () => get("/reset"), stop: () => child.kill() });
    });
  });

const rows = [];
const row = (what, value, must, aim, detail) => rows.push({ what, value, must, aim, detail });
const ms = (value) => `${value.toFixed(2)} ms`;

if (only.includes("loop")) {
  const server = await startServer();
  const samples = {};
  for (let round = 0; round < rounds; round++)
    for (const scenario of ["turns", "parallel", "sessions", "held"])
      for (const driver of ["floor", "kumiko", ...(scenario === "turns" ? ["kumiko-files"] : [])]) {
        const { stdout } = await run(process.execPath, [
          "--expose-gc",
          here("./driver.mjs"),
          driver,
          scenario,
          server.url,
        ]);
        ((samples[scenario] ??= {})[driver] ??= []).push(JSON.parse(stdout));
      }
  server.stop();
  const of = (scenario, driver, field) => median(samples[scenario][driver].map((sample) => sample[field]));
  const ratio = (what, scenario, field, must, aim) => {
    const [kumiko, floor] = [of(scenario, "kumiko", field), of(scenario, "floor", field)];
    row(what, kumiko / floor, must, aim, `${ms(kumiko)} over ${ms(floor)} a turn`);
  };
  ratio("100 tool turns, CPU", "turns", "cpu", 2, 1.5);
  ratio("100 tool turns, wall", "turns", "wall", 2, 1.5);
  ratio("100 tool turns, CPU, first session of a process", "turns", "cold", undefined, undefined);
  const kept = of("turns", "kumiko-files", "cpu");
  row(
    "100 tool turns kept in a file, CPU",
    kept / of("turns", "floor", "cpu"),
    2.5,
    2,
    `${ms(kept)} over ${ms(of("turns", "floor", "cpu"))} a turn`,
  );
  ratio("20 turns x 8 parallel calls, CPU", "parallel", "cpu", 2.5, 1.5);
  ratio("20 turns x 8 parallel calls, wall", "parallel", "wall", 2.5, 1.5);
  ratio("200 sessions x 10 turns, CPU", "sessions", "cpu", 3.5, 2);
  ratio("200 sessions x 10 turns, wall", "sessions", "wall", 3.5, 2);
  row("kB held by an idle session (10 turns)", of("held", "kumiko", "heldKb"), 80, 40, "heap + external");
}
if (only.includes("steps")) {
  const { stdout } = await run(process.execPath, [here("./steps.mjs")], { maxBuffer: 1e7 });
  const { earlyMicros, lateMicros, steps } = JSON.parse(stdout);
  for (const [machine, micros] of Object.entries(steps)) row(`µs a step of ${machine}`, micros, 15, undefined, "");
  row(
    "turn 1000 over turn 100, nothing sent",
    lateMicros / earlyMicros,
    1.3,
    undefined,
    `${Math.round(lateMicros)} over ${Math.round(earlyMicros)} µs CPU`,
  );
}
if (only.includes("journal")) {
  const { stdout } = await run(process.execPath, [here("./journal.mjs")], { maxBuffer: 1e7 });
  const figures = JSON.parse(stdout);
  row(
    "ms later: first request of a resumed session of 1000 turns",
    figures.resumedMillis - figures.newMillis,
    300,
    undefined,
    `${ms(figures.resumedMillis)} over ${ms(figures.newMillis)}; ${figures.megabytes.toFixed(1)} MB`,
  );
  row(
    "an append at 20 000 records over one at 1 000",
    figures.lateMicros / figures.earlyMicros,
    1.5,
    undefined,
    `${figures.lateMicros.toFixed(1)} over ${figures.earlyMicros.toFixed(1)} µs`,
  );
  row(
    "50 sessions in 50 processes: one's turns over alone",
    figures.togetherMillis / figures.aloneMillis,
    undefined,
    undefined,
    `CPU a session ${ms(figures.togetherMillis)} over ${ms(figures.aloneMillis)}`,
  );
}
if (only.includes("gate")) {
  // Imported late: it imports what the build above makes.
  const { gateLines, measureGate } = await import("./gate.mjs");
  const figures = measureGate();
  const about = `${figures.commands} recorded commands`;
  row("gate: µs a decision, median", figures.medianMicros, gateLines.medianMicros, undefined, about);
  row("gate: µs a decision, 99th percentile", figures.p99Micros, gateLines.p99Micros, undefined, about);
  row("gate: µs an explanation, median", figures.explainMedianMicros, gateLines.explainMedianMicros, undefined, about);
  const { millis, name } = figures.worstExplain;
  row("gate: ms to explain the worst command", millis, undefined, undefined, name);
}
if (only.includes("stream")) {
  const { stdout } = await run(process.execPath, [here("./stream.mjs")], { maxBuffer: 1e7 });
  for (const [format, { floorMillis, millis }] of Object.entries(JSON.parse(stdout)))
    row(
      `10 000 deltas of ${format}, CPU over reading and parsing`,
      millis / floorMillis,
      1.5,
      undefined,
      `${ms(millis)} over ${ms(floorMillis)}`,
    );
}
if (only.includes("tools")) {
  const { measureTools } = await import("./tools.mjs");
  const tools = await measureTools(rounds);
  const over = (what, name, floor) =>
    row(what, tools[name] / tools[floor], 1.3, 1, `${ms(tools[name])} over ${ms(tools[floor])}`);
  over("glob of 50 000 files over ripgrep", "glob", "rgFiles");
  over("grep of 50 000 files, a text, over ripgrep", "grep", "rg");
  over("grep of 50 000 files, a pattern, over ripgrep", "grepPattern", "rg");
  row(
    "ms more than sh -c: a command by bash",
    tools.bash - tools.sh,
    5,
    undefined,
    `${ms(tools.bash)} over ${ms(tools.sh)}`,
  );
  row("ms for an edit of a 20 MB file", tools.edit, 150, undefined, "");
}
if (only.includes("cli")) {
  const server = await startServer("file_read", '{"path":"f$K.txt"}');
  const cli = await measureCli(server, rounds);
  server.stop();
  row(
    "--version over node -e 0",
    cli.versionMs / cli.nodeMs,
    1.7,
    undefined,
    `${ms(cli.versionMs)} over ${ms(cli.nodeMs)}`,
  );
  row("--help over node -e 0", cli.helpMs / cli.nodeMs, 4.5, undefined, `${ms(cli.helpMs)} over ${ms(cli.nodeMs)}`);
  row(
    "-p: first model request over node -e 0",
    cli.firstRequestMs / cli.nodeMs,
    8,
    undefined,
    `${ms(cli.firstRequestMs)}; the floor takes ${ms(cli.floorFirstRequestMs)}`,
  );
  row(
    "-p: peak memory over the floor's",
    cli.peakMb / cli.floorPeakMb,
    1.4,
    undefined,
    `${cli.peakMb.toFixed(0)} over ${cli.floorPeakMb.toFixed(0)} MB`,
  );
  row(
    "-p: 20 file reads, wall over the floor's",
    cli.promptMs / cli.floorMs,
    undefined,
    undefined,
    `${ms(cli.promptMs)} over ${ms(cli.floorMs)}`,
  );
}

if (only.includes("conversation")) {
  const talk = await measureConversation(rounds, { deltas: Number(option("deltas", "1000")) });
  row(
    "kumiko: first prompt over node -e 0",
    talk.promptMs / talk.nodeMs,
    8,
    undefined,
    `${ms(talk.promptMs)} over ${ms(talk.nodeMs)}`,
  );
  row(
    `kumiko: share of a core, ${talk.perSecond} deltas a second`,
    talk.share,
    0.1,
    undefined,
    `${talk.deltas} deltas, model client and loop included`,
  );
}

const width = Math.max(...rows.map(({ what }) => what.length));
console.log(`${"".padEnd(width)}   value    must     aim`);
let failed = false;
for (const { aim, detail, must, value, what } of rows) {
  const cell = (number) => (number === undefined ? "      -" : number.toFixed(2).padStart(7));
  const isOver = must !== undefined && value > must;
  failed ||= isOver;
  console.log(`${what.padEnd(width)} ${cell(value)} ${cell(must)} ${cell(aim)}  ${isOver ? "OVER  " : ""}${detail}`);
}
process.exit(failed ? 1 : 0);
