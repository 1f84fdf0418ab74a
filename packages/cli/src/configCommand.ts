import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";

const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false));
const cwd = Flag.String("cwd").pipe(
  Flag.withDescription("The folder runs would work in. Default: this one"),
  Flag.optional,
);
const project = Flag.Boolean("project").pipe(
  Flag.withDescription("In the project's file, .kumiko/config.yaml: it can only tighten"),
  Flag.withDefault(false),
);
const local = Flag.Boolean("local").pipe(
  Flag.withDescription("In .kumiko/config.local.yaml, for this machine: it can only tighten"),
  Flag.withDefault(false),
);
const key = Argument.String("key").pipe(Argument.withDescription("Such as mode or permissions.deny"));

/** Where a change is made. */
export interface ChangeLine {
  readonly cwd: string | undefined;
  readonly project: boolean;
  readonly local: boolean;
}

const place = <Line extends { readonly cwd: Option.Option<string> }>(line: Line) => ({
  ...line,
  cwd: Option.getOrUndefined(line.cwd),
});
const loadShow = Effect.promise(() => import("./config/showConfig.ts"));
const loadChange = Effect.promise(() => import("./config/changeConfig.ts"));

const get = Command.make("get", { key, cwd, json }, (line) =>
  Effect.flatMap(loadShow, ({ getConfig }) => getConfig(place(line))),
).pipe(Command.withDescription("Prints one value, a list one item a line. Exit code 1: it is not set"));

const values = Argument.String("value").pipe(
  Argument.withDescription("The value; of a list, all its items"),
  Argument.variadic({ min: 1 }),
);
const set = Command.make("set", { key, values, project, local, cwd }, (line) =>
  Effect.flatMap(loadChange, ({ setConfig }) => setConfig(place(line))),
).pipe(Command.withDescription("Sets a value in your own file, or in one of the project's; comments stay"));

const unset = Command.make("unset", { key, project, local, cwd }, (line) =>
  Effect.flatMap(loadChange, ({ unsetConfig }) => unsetConfig(place(line))),
).pipe(Command.withDescription("Takes a value out of your own file, or out of one of the project's"));

const edit = Command.make("edit", { project, local, cwd }, (line) =>
  Effect.flatMap(loadChange, ({ editConfig }) => editConfig(place(line))),
).pipe(
  Command.withDescription(
    "Opens your own file, or one of the project's, in $VISUAL or $EDITOR, and checks it afterwards",
  ),
);

const where = Command.make("where", { cwd, json }, (line) =>
  Effect.flatMap(loadShow, ({ whereConfig }) => whereConfig(place(line))),
).pipe(Command.withDescription("Lists the files and variables that settings are read from, the weakest first"));

const schema = Command.make("schema", {}, () => Effect.flatMap(loadShow, ({ printSchema }) => printSchema)).pipe(
  Command.withDescription("Prints the JSON Schema of the files, for editors"),
);

export const configCommand = Command.make("config", { cwd, json }, (line) =>
  Effect.flatMap(loadShow, ({ showConfig }) => showConfig(place(line))),
).pipe(
  Command.withDescription(
    "Shows every setting and where it comes from: defaults < user < project < local < environment < flags",
  ),
  Command.withSubcommands([get, set, unset, edit, where, schema]),
);
