import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";

const flag = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false));

export const rewindCommand = Command.make(
  "rewind",
  {
    session: Argument.String("session").pipe(
      Argument.withDescription("The id of a session, or as much of it as is enough"),
    ),
    to: Flag.Int("to").pipe(
      Flag.withDescription("Take back this run and all after it: its number. Without it, the runs are listed"),
      Flag.optional,
    ),
    conversation: flag("conversation", "Only what was said: files stay as they are"),
    files: flag("files", "Only files: the conversation stays as it is"),
    both: flag("both", "Conversation and files (default)"),
    dryRun: flag("dry-run", "Say what would be done, and do nothing"),
    yes: flag("yes", "Do not ask").pipe(Flag.withAlias("y")),
    force: flag("force", "Put back also files that somebody else has changed since"),
  },
  (line) =>
    Effect.flatMap(
      Effect.promise(() => import("./sessions/rewind.ts")),
      ({ rewind }) => rewind({ ...line, to: Option.getOrUndefined(line.to) }),
    ),
).pipe(
  Command.withDescription(
    "Takes runs of a session back: what was said, the files they changed, or both; says first what cannot be undone",
  ),
);
