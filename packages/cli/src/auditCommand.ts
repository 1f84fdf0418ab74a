import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";

const flags = {
  session: Flag.String("session").pipe(
    Flag.withDescription("Only calls of this session: its id, or as much of it as is enough"),
    Flag.optional,
  ),
  tool: Flag.String("tool").pipe(Flag.withDescription("Only calls of this tool (may be repeated)"), Flag.atLeast(0)),
  verdict: Flag.Literals("verdict", ["allow", "ask", "deny", "hard-block"]).pipe(
    Flag.withDescription("Only calls with this last word of the gate"),
    Flag.optional,
  ),
  since: Flag.String("since").pipe(
    Flag.withDescription(
      "Only later ones: a day or time such as 2026-11-30 or 2026-11-30T12:00, or 90s, 15m, 2h, 1d ago",
    ),
    Flag.optional,
  ),
  limit: Flag.Int("limit").pipe(Flag.withDescription("The last so many. Default: 50; 0: all"), Flag.withDefault(50)),
  follow: Flag.Boolean("follow").pipe(
    Flag.withAlias("f"),
    Flag.withDescription("Go on showing what comes, until Ctrl-C"),
    Flag.withDefault(false),
  ),
  auditLog: Flag.String("audit-log").pipe(Flag.withDescription("The log. Default: as configured"), Flag.optional),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print the records, one JSON object a line"),
    Flag.withDefault(false),
  ),
};

export const auditCommand = Command.make("audit", flags, (line) =>
  Effect.flatMap(
    Effect.promise(() => import("./audit/showAudit.ts")),
    ({ showAudit }) =>
      showAudit({
        ...line,
        session: Option.getOrUndefined(line.session),
        verdict: Option.getOrUndefined(line.verdict),
        since: Option.getOrUndefined(line.since),
        auditLog: Option.getOrUndefined(line.auditLog),
      }),
  ),
).pipe(Command.withDescription("Shows what agents wanted to do: each call, who decided, why, and what became of it"));
