import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";

const session = Argument.String("session").pipe(
  Argument.withDescription("The id of a session, or as much of it as is enough"),
);
const which = {
  all: Flag.Boolean("all").pipe(
    Flag.withAlias("a"),
    Flag.withDescription("Those of every folder, not only of this one"),
    Flag.withDefault(false),
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false)),
  cwd: Flag.String("cwd").pipe(Flag.withDescription("The folder. Default: this one"), Flag.optional),
};
const plain = <Line extends { readonly cwd: Option.Option<string> }>(line: Line) => ({
  ...line,
  cwd: Option.getOrUndefined(line.cwd),
});

const list = Command.make("list", which, (line) =>
  Effect.flatMap(
    Effect.promise(() => import("./sessions/list.ts")),
    ({ list: run }) => run(plain(line)),
  ),
).pipe(Command.withDescription("Lists sessions, the one that changed last first"));

const show = Command.make("show", { session }, (line) =>
  Effect.flatMap(
    Effect.promise(() => import("./sessions/show.ts")),
    ({ show: run }) => run(line.session),
  ),
).pipe(Command.withDescription("Prints a session: what was said and done, and what it waits for"));

const text = Argument.String("text").pipe(Argument.withDescription("What to look for, whatever the case"));
const search = Command.make("search", { text, ...which }, (line) =>
  Effect.flatMap(
    Effect.promise(() => import("./sessions/search.ts")),
    ({ search: run }) => run(plain(line)),
  ),
).pipe(Command.withDescription("Finds a text in prompts, answers, calls and their results"));

const format = Flag.Literals("format", ["markdown", "json", "jsonl"]).pipe(
  Flag.withDescription("markdown: to read; json: one object; jsonl: every record of the journal"),
  Flag.withDefault("markdown"),
);
const exported = Command.make("export", { session, format }, (line) =>
  Effect.flatMap(
    Effect.promise(() => import("./sessions/exportSession.ts")),
    ({ exportSession }) => exportSession(line),
  ),
).pipe(Command.withDescription("Writes a session to standard output"));

const rm = Command.make(
  "rm",
  {
    sessions: Argument.String("session").pipe(
      Argument.withDescription("Ids of sessions, or as much of each as is enough"),
      Argument.variadic({ min: 1 }),
    ),
    yes: Flag.Boolean("yes").pipe(Flag.withAlias("y"), Flag.withDescription("Do not ask"), Flag.withDefault(false)),
  },
  (line) =>
    Effect.flatMap(
      Effect.promise(() => import("./sessions/remove.ts")),
      ({ remove }) => remove(line),
    ),
).pipe(Command.withDescription("Removes sessions for good"));

export const sessionsCommand = Command.make("sessions").pipe(
  Command.withDescription("Lists, shows, searches, exports and removes sessions"),
  Command.withSubcommands([list, show, search, exported, rm]),
);
