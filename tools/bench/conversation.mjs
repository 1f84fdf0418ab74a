// A conversation in a real terminal (`script` makes one): how soon the bundled command line shows its prompt, over
// `node -e 0`, and what share of a core it takes while a reply of many deltas comes in at a steady pace.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const bin = new URL("../../packages/cli/bin/kumiko.cjs", import.meta.url).pathname;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ticksPerSecond = 100;

const inTerminal = (work, args) => {
  const line = [process.execPath, bin, ...args].map((arg) => `'${arg}'`).join(" ");
  const child = spawn("script", ["-qec", `stty cols 100 rows 40; exec ${line}`, "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: work,
    env: { PATH: process.env.PATH, HOME: work, TERM: "xterm-256color" },
  });
  let screen = "";
  let waiting = [];
  child.stdout.on("data", (data) => {
    screen += data;
    const met = waiting.filter(({ pattern }) => pattern.test(screen));
    waiting = waiting.filter((one) => !met.includes(one));
    for (const { resolve } of met) resolve();
  });
  return {
    child,
    sees: (pattern) => {
      if (pattern.test(screen)) return Promise.resolve();
      return new Promise((resolve) => waiting.push({ pattern, resolve }));
    },
    forget: () => (screen = ""),
  };
};

/** The process that runs the bundle, below `script`. */
const programOf = (pid) => {
  for (const name of readdirSync("/proc"))
    if (/^\d+$/.test(name))
      try {
        const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
        if (Number(parent) !== pid) continue;
        if (readFileSync(`/proc/${name}/cmdline`, "utf8").includes("kumiko.cjs")) return Number(name);
        return programOf(Number(name));
      } catch {
        // It has ended meanwhile.
      }
  return undefined;
};

const cpuSeconds = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
};

const timeOf = (args) =>
  new Promise((resolve) => {
    const began = performance.now();
    spawn(process.execPath, args, { stdio: "ignore" }).on("exit", () => resolve(performance.now() - began));
  });

/** Streams `deltas` words, one every `paceMillis`. */
const pacedServer = (deltas, paceMillis) =>
  new Promise((resolve) => {
    const server = http.createServer((request, response) => {
      request.resume();
      request.on("end", () => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const say = (delta, finish_reason = null) =>
          response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
        const began = performance.now();
        let sent = 0;
        const timer = setInterval(() => {
          const due = Math.min(Math.floor((performance.now() - began) / paceMillis), deltas);
          for (; sent < due; sent++) say({ content: sent % 14 === 13 ? `word${sent}\n` : `word${sent} ` });
          if (sent < deltas) return;
          clearInterval(timer);
          say({}, "stop");
          response.end("data: [DONE]\n\n");
        }, paceMillis);
      });
    });
    server.listen(0, "127.0.0.1", () => resolve({ server, url: `http://127.0.0.1:${server.address().port}/v1#paced` }));
  });

export const measureConversation = async (rounds, { deltas = 1000, paceMillis = 10 } = {}) => {
  const work = mkdtempSync(join(tmpdir(), "kumiko-bench-"));
  const nodes = [];
  const prompts = [];
  for (let round = 0; round <= rounds; round++) {
    const node = await timeOf(["-e", "0"]);
    const began = performance.now();
    const { child, sees } = inTerminal(work, []);
    await sees(/> \r+\n/);
    const prompt = performance.now() - began;
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.stdin.write("\u0004");
    await ended;
    if (round > 0) {
      nodes.push(node);
      prompts.push(prompt);
    }
  }
  const { server, url } = await pacedServer(deltas, paceMillis);
  const { child, forget, sees } = inTerminal(work, ["--model", url]);
  await sees(/> \r+\n/);
  forget();
  child.stdin.write("go\r");
  await sees(/word40/);
  const pid = programOf(child.pid);
  const [cpu, at] = [cpuSeconds(pid), performance.now()];
  await sees(new RegExp(`word${deltas - 40}`));
  const share = (cpuSeconds(pid) - cpu) / ((performance.now() - at) / 1000);
  const ended = new Promise((resolve) => child.on("exit", resolve));
  await sees(new RegExp(`word${deltas - 1}`));
  child.stdin.write("\u0004");
  await ended;
  server.close();
  rmSync(work, { recursive: true });
  return { nodeMs: median(nodes), promptMs: median(prompts), share, deltas, perSecond: 1000 / paceMillis };
};
