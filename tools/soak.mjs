// npm run soak -- <suite> [--runs n] [--seed n]: the full counts of a suite that `npm test` runs a fixed sample of.
// Prints seed and counts, so that a run can be repeated.
import { spawnSync } from "node:child_process";

const suites = {
  machines: { runs: 20_000, args: ["--project", "core-loop", "machine"] },
  permissions: { runs: 100_000, args: ["--project", "permission-engine", "properties"] },
  "gate-differential": { runs: 200_000, args: ["--project", "permission-engine", "differential.test"] },
  // Kills at random moments, on top of those at every failpoint.
  kill: { runs: 1_000, args: ["--project", "e2e", "kill"] },
  damage: { runs: 500, args: ["--project", "journal", "damage"] },
  // A run is a second.
  "gate-fuzz": { runs: 600, args: ["--project", "permission-engine", "fuzz"] },
  // Mutated streams, over all wire formats.
  "model-streams": { runs: 1_000_000, args: ["--project", "models", "modelStreams"] },
  // Every fault on every wire at every call, then storms of several at random.
  weather: { runs: 1_000, args: ["--project", "e2e", "weather"] },
  // Trees and patterns, each searched with ripgrep, without it, and by ripgrep itself.
  "grep-differential": { runs: 2_000, args: ["--project", "local-tools", "grepDifferential"] },
  "bash-survivors": { runs: 200, args: ["--project", "local-tools", "bashSurvivors"] },
};
const [suite] = process.argv.slice(2);
const chosen = Object.hasOwn(suites, suite ?? "") ? suites[suite] : undefined;
if (chosen === undefined) {
  console.error(
    `usage: npm run soak -- <suite> [--runs n] [--seed n]; the suites are ${Object.keys(suites).join(", ")}`,
  );
  process.exit(2);
}
const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const runs = option("runs", String(chosen.runs));
const seed = option("seed", String(Math.floor(Math.random() * 2 ** 31)));
console.log(`soak ${suite}: ${runs} runs a property, seed ${seed}`);
const { status } = spawnSync("node_modules/.bin/vitest", ["run", "--testTimeout", "3600000", ...chosen.args], {
  stdio: "inherit",
  env: { ...process.env, KUMIKO_SOAK_RUNS: runs, KUMIKO_SOAK_SEED: seed },
});
console.log(`soak ${suite}: ${runs} runs a property, seed ${seed}: ${status === 0 ? "passed" : "FAILED"}`);
process.exit(status ?? 1);
