import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import {
  type CommandPolicy,
  commandPolicy,
  decideCommand,
  explainCommand,
  explanationText,
  permissionEngine,
} from "@kumiko/permission-engine";
import { type Decision, Verdict } from "@kumiko/plugin-api";
import { decodeYaml, readYaml } from "@kumiko/settings";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { BadInput } from "./BadInput.ts";
import { workingFolder } from "./checkFolders.ts";
import { readConfig } from "./config/readConfig.ts";
import { exitCodes } from "./exitCodes.ts";
import { messageOf } from "./messageOf.ts";
import type { RuleLine } from "./permissionsCommand.ts";
import { printable } from "./printable.ts";

/** Exit codes of `kumiko permissions check`, apart from those of runs: 0 means "would run without a question". */
const verdictCodes: Readonly<Record<Decision["verdict"], number>> = { allow: 0, ask: 10, deny: 11, "hard-block": 12 };

/** `kumiko permissions explain`. */
export const explainPermission = Effect.fnUntraced(function* (command: string, line: RuleLine) {
  const explanation = explainCommand(command, yield* policyOf(line));
  print(line.json ? JSON.stringify(explanation) : explanationText(explanation).trimEnd());
});

/** `kumiko permissions check`. */
export const checkPermission = Effect.fnUntraced(function* (command: string, line: RuleLine) {
  const decision = decideCommand(command, yield* policyOf(line));
  print(line.json ? JSON.stringify(decision) : `${decision.verdict}: ${printable(decision.reason)}`);
  process.exitCode = verdictCodes[decision.verdict];
});

const Cases = Schema.Array(Schema.Struct({ command: Schema.String, expected: Verdict }));

/** `kumiko permissions test`: exit code 1 when a command does not get its verdict. */
export const testPermissions = Effect.fnUntraced(function* (file: string, line: RuleLine) {
  const policy = yield* policyOf(line);
  const cases = yield* casesIn(file);
  const results = cases.map(({ command, expected }) => {
    const { layer, reason, rule, verdict } = decideCommand(command, policy);
    return { command, expected, verdict, layer, rule, reason, passed: verdict === expected };
  });
  const failed = results.filter(({ passed }) => !passed);
  if (line.json) print(JSON.stringify({ passed: results.length - failed.length, failed }));
  else {
    for (const { command, expected, reason, verdict } of failed)
      print(`✗ ${printable(JSON.stringify(command))}: expected ${expected}, got ${verdict} (${printable(reason)})`);
    print(`${results.length - failed.length} passed, ${failed.length} failed`);
  }
  if (failed.length > 0) process.exitCode = exitCodes.error;
});

const policyOf = Effect.fnUntraced(function* (line: RuleLine): Effect.fn.Return<CommandPolicy, BadInput> {
  const { allow, deny, mode } = line;
  const cwd = yield* workingFolder(line.cwd ?? ".");
  const { values } = yield* readConfig(cwd, [
    { source: { layer: "flag" }, values: { allow, deny, ...(mode === undefined ? {} : { mode }) } },
  ]);
  const { ask, hosts, workspaceRoots } = values;
  const config = {
    mode: values.mode ?? "ask",
    allow: values.allow,
    ask,
    deny: values.deny,
    workspaceRoots,
    network: { allow: hosts },
  };
  return yield* Effect.try({
    try: () => {
      permissionEngine(config); // says which rules it cannot use
      return commandPolicy(config, { cwd, home: homedir() });
    },
    catch: (error) => new BadInput({ detail: messageOf(error) }),
  });
});

const casesIn = Effect.fnUntraced(function* (file: string): Effect.fn.Return<typeof Cases.Type, BadInput> {
  const text = yield* Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: (error) => new BadInput({ detail: `${file} cannot be read: ${messageOf(error)}` }),
  });
  const yaml = yield* readYaml(text);
  const decoded = Result.flatMap(yaml.value, (raw) => decodeYaml(Cases, raw, () => ["command", "expected"]));
  if (Result.isSuccess(decoded)) return decoded.success;
  const { column, line } = yaml.placeOf(decoded.failure);
  return yield* new BadInput({
    detail: `${file}:${line}:${column}: ${decoded.failure.problem}; expected a list of { command, expected }`,
  });
});

const print = (text: string): void => void process.stdout.write(`${text}\n`);
