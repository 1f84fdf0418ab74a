import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";

const flags = {
  days: Flag.Int("days").pipe(Flag.withDescription("The last so many days, today being the first"), Flag.optional),
  since: Flag.String("since").pipe(Flag.withDescription("From this day on, such as 2026-11-30"), Flag.optional),
  by: Flag.Literals("by", ["day", "model", "session", "folder", "run"]).pipe(
    Flag.withDescription("What to add up by. Default: day, and run with --session"),
    Flag.optional,
  ),
  session: Flag.String("session").pipe(
    Flag.withDescription("Only this session: its id, or as much of it as is enough"),
    Flag.optional,
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false)),
};

export const usageCommand = Command.make("usage", flags, (line) =>
  Effect.flatMap(
    Effect.promise(() => import("./usage/showUsage.ts")),
    ({ showUsage }) =>
      showUsage({
        days: Option.getOrUndefined(line.days),
        since: Option.getOrUndefined(line.since),
        by: Option.getOrUndefined(line.by),
        session: Option.getOrUndefined(line.session),
        json: line.json,
      }),
  ),
).pipe(
  Command.withDescription(
    "Adds up tokens and costs of the sessions that are kept. A cost of ? or at least so much: a price is not known",
  ),
);
