import * as Effect from "effect/Effect";
import type { BadInput } from "../BadInput.ts";
import { workingFolder } from "../checkFolders.ts";
import { exitCodes } from "../exitCodes.ts";
import { jsonLine, oneLine } from "../printable.ts";
import type { Finding } from "./Check.ts";
import {
  modelCheck,
  nodeCheck,
  ollamaCheck,
  partCheck,
  programCheck,
  sessionsCheck,
  settingsCheck,
  stateCheck,
  terminalCheck,
} from "./checks.ts";

const marks = { ok: "✓", warning: "!", problem: "✗" } as const;

/** `kumiko doctor`. */
export const runDoctor = Effect.fnUntraced(function* ({
  json,
}: {
  readonly json: boolean;
}): Effect.fn.Return<void, BadInput> {
  const cwd = yield* workingFolder(".");
  const { stdin, stdout } = process;
  const findings = (yield* Effect.all(
    [
      Effect.succeed(nodeCheck(process.versions.node)),
      settingsCheck(cwd),
      stateCheck,
      sessionsCheck,
      modelCheck,
      ollamaCheck,
      programCheck("bash", {
        isNeeded: false,
        effect: "commands run by sh instead, which reads some of them otherwise",
        help: "install bash",
      }),
      programCheck("git", { isNeeded: false, effect: "agents cannot see what changed", help: "install git" }),
      partCheck("ripgrep", () => import("@vscode/ripgrep"), {
        effect: "searching large trees takes longer, unless rg is on the search path",
        help: "install ripgrep, or @vscode/ripgrep beside kumiko",
      }),
      partCheck("pty", () => import("@lydell/node-pty"), {
        effect: "agents cannot run programs that need a terminal",
        help: "install @lydell/node-pty beside kumiko",
      }),
      Effect.succeed(terminalCheck(process.env, { isTTY: stdin.isTTY && stdout.isTTY, columns: stdout.columns || 80 })),
    ],
    { concurrency: "unbounded" },
  )).flat();
  const problems = findings.filter(({ status }) => status === "problem").length;
  if (json) process.stdout.write(`${jsonLine({ schemaVersion: 1, type: "doctor", findings })}\n`);
  else {
    for (const finding of findings) process.stdout.write(linesOf(finding));
    process.stdout.write(
      problems === 0 ? "\nRuns can begin.\n" : `\n${problems} thing${problems === 1 ? "" : "s"} to mend first.\n`,
    );
  }
  if (problems > 0) process.exitCode = exitCodes.error;
});

const linesOf = ({ detail, help, name, status }: Finding): string =>
  `${marks[status]} ${name.padEnd(12)}  ${oneLine(detail, 300)}\n${help === undefined ? "" : `${" ".repeat(16)}${oneLine(help, 300)}\n`}`;
