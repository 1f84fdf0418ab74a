// What the gate costs: deciding about and explaining each command of the recorded cases, plus the dearest commands that
// are still read in full. `node tools/bench/gate.mjs` prints the figures and fails beyond the lines; run.mjs imports them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { decideCommand, explainCommand } from "@kumiko/permission-engine";

const place = { cwd: "/srv/project", home: "/home/u" };
const corpus = new URL("../../packages/permission-engine/test/cases/permission-cases.json", import.meta.url);

/** Microseconds, unless said otherwise. The lines that must be kept stand beside the figures. */
export const gateLines = { medianMicros: 50, p99Micros: 500, explainMedianMicros: 1000 };

// As long as is read at all, and built to cost as much as that can.
const heavy = {
  "250 commands": "ls -la; ".repeat(250),
  "4000 words": `ls ${"a ".repeat(4000)}`,
  "60 kB of substitutions": `ls ${"$(a) ".repeat(12_000)}`,
  "60 kB nested": "$(".repeat(30_000),
  "60 kB nested in each other": `${"cat <(".repeat(8_500)}a${")".repeat(8_500)}`,
  "4000 words for an unknown program": `unheard-of ${"git ".repeat(4000)}`,
  "60 kB in a here-document": `cat > a <<'E'\n${"text with words\n".repeat(3750)}E`,
};

const quantile = (values, share) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
};

const microsOf = (action) => {
  const start = performance.now();
  action();
  return (performance.now() - start) * 1000;
};

/**
 * Measures the gate: median and 99th percentile of a decision over the corpus, the same for an explanation, and the worst
 * of the heavy commands. Each command counts with the median of its rounds, so that a pause of the machine does not show.
 */
export const measureGate = ({ rounds = 31 } = {}) => {
  const { cases } = JSON.parse(readFileSync(corpus, "utf8"));
  const subjects = cases.map(({ command, policy }) => ({ command, policy: { ...policy, ...place } }));
  for (let warm = 0; warm < 30; warm++)
    for (const { command, policy } of subjects) {
      decideCommand(command, policy);
      explainCommand(command, policy);
    }
  const perCommand = (judge) =>
    subjects.map(({ command, policy }) =>
      quantile(
        Array.from({ length: rounds }, () => microsOf(() => judge(command, policy))),
        0.5,
      ),
    );
  const decisions = perCommand(decideCommand);
  const explanations = perCommand(explainCommand);
  const worst = Object.entries(heavy)
    .map(([name, command]) => {
      const policy = { allow: ["*"], deny: ["curl *"], ...place };
      const micros = Array.from({ length: 3 }, () => microsOf(() => explainCommand(command, policy)));
      return { name, millis: quantile(micros, 0.5) / 1000 };
    })
    .toSorted((a, b) => b.millis - a.millis);
  return {
    commands: subjects.length,
    medianMicros: quantile(decisions, 0.5),
    p99Micros: quantile(decisions, 0.99),
    explainMedianMicros: quantile(explanations, 0.5),
    explainP99Micros: quantile(explanations, 0.99),
    worstExplain: worst[0],
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = measureGate();
  console.log(JSON.stringify(figures, undefined, 2));
  const beyond = Object.entries(gateLines).filter(([name, line]) => figures[name] > line);
  for (const [name, line] of beyond) console.error(`${name} is ${figures[name].toFixed(1)}, the line is ${line}`);
  process.exitCode = beyond.length === 0 ? 0 : 1;
}
