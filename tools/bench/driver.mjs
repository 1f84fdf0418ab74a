// Runs one driver through one scenario in this process and prints its figures as JSON.
// usage: node --expose-gc driver.mjs floor|kumiko turns|parallel|sessions|held <server url>
const [, , name, scenario, server] = process.argv;
const scenarios = {
  turns: { turns: 100, parallel: 1, runs: 10 },
  parallel: { turns: 20, parallel: 8, runs: 20 },
  sessions: { turns: 10, parallel: 1, together: 200 },
  held: { turns: 10, parallel: 1, together: 200 },
};
const { turns, parallel, runs, together } = scenarios[scenario];
const result = "x".repeat(1024);
let calls = 0;
const tool = {
  name: "echo",
  description: "Returns the document stored under a key.",
  execute: async ({ key }) => {
    calls++;
    return key + result;
  },
};
const cpu = () => {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1000;
};
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const { setup } = await import(`./${name}.mjs`);
const session = await setup({ baseUrl: `${server}/t${turns}p${parallel}/v1`, tool });
const one = async () => {
  const before = calls;
  const text = await session();
  if (!text.endsWith("done.")) throw new Error(`wrong final text: ${text}`);
  return calls - before;
};
const figures = { name, scenario };
if (together === undefined) {
  const wall = [];
  const busy = [];
  for (let run = 0; run < runs; run++) {
    const [t, c] = [performance.now(), cpu()];
    if ((await one()) !== turns * parallel) throw new Error("tool calls were left out");
    wall.push((performance.now() - t) / turns);
    busy.push((cpu() - c) / turns);
  }
  Object.assign(figures, { cold: busy[0], cpu: median(busy.slice(1)), wall: median(wall.slice(1)) });
} else {
  for (let run = 0; run < 3; run++) await one();
  globalThis.gc();
  globalThis.gc();
  const held = process.memoryUsage();
  const before = calls;
  const [t, c] = [performance.now(), cpu()];
  await Promise.all(Array.from({ length: together }, one));
  if (calls - before !== together * turns * parallel) throw new Error("tool calls were left out");
  Object.assign(figures, { cpu: (cpu() - c) / (together * turns), wall: (performance.now() - t) / (together * turns) });
  if (scenario === "held") {
    await new Promise((resolve) => setTimeout(resolve, 200));
    globalThis.gc();
    globalThis.gc();
    const now = process.memoryUsage();
    figures.heldKb = (now.heapUsed + now.external - held.heapUsed - held.external) / 1024 / together;
  }
}
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
