import type { PermissionMode } from "@kumiko/permission-engine";
import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";

const command = Argument.String("command").pipe(Argument.withDescription("A shell command, as one word: quote it"));

const rules = {
  mode: Flag.Literals("mode", ["plan", "ask", "accept-edits", "auto"]).pipe(
    Flag.withDescription("The permission mode it would run in. Default: as configured"),
    Flag.optional,
  ),
  allow: Flag.String("allow").pipe(Flag.withDescription("An allow rule (may be repeated)"), Flag.atLeast(0)),
  deny: Flag.String("deny").pipe(Flag.withDescription("A deny rule (may be repeated)"), Flag.atLeast(0)),
  cwd: Flag.String("cwd").pipe(Flag.withDescription("The folder it would run in. Default: this one"), Flag.optional),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false)),
};

/** What the command line says of a policy. */
export interface RuleLine {
  readonly mode: PermissionMode | undefined;
  readonly allow: ReadonlyArray<string>;
  readonly deny: ReadonlyArray<string>;
  readonly cwd: string | undefined;
  readonly json: boolean;
}

const plain = <Line extends { readonly cwd: Option.Option<string>; readonly mode: Option.Option<PermissionMode> }>(
  line: Line,
) => ({
  ...line,
  cwd: Option.getOrUndefined(line.cwd),
  mode: Option.getOrUndefined(line.mode),
});
const load = Effect.promise(() => import("./permissions.ts"));

const explain = Command.make("explain", { command, ...rules }, (line) =>
  Effect.flatMap(load, ({ explainPermission }) => explainPermission(line.command, plain(line))),
).pipe(Command.withDescription("Says what a command would do, part by part, and which rule decides about it"));

const check = Command.make("check", { command, ...rules }, (line) =>
  Effect.flatMap(load, ({ checkPermission }) => checkPermission(line.command, plain(line))),
).pipe(Command.withDescription("Prints the verdict. Exit code: 0 allow, 10 ask, 11 deny, 12 hard-block"));

const file = Argument.String("file").pipe(
  Argument.withDescription("YAML: a list of { command, expected: allow | ask | deny | hard-block }"),
);
const test = Command.make("test", { file, ...rules }, (line) =>
  Effect.flatMap(load, ({ testPermissions }) => testPermissions(line.file, plain(line))),
).pipe(Command.withDescription("Holds rules against a file of commands and the verdicts they must get"));

export const permissionsCommand = Command.make("permissions").pipe(
  Command.withDescription("Explains, checks and tests what may run; nothing is run"),
  Command.withSubcommands([explain, check, test]),
);
