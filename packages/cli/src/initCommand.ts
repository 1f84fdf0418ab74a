import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";

const flags = {
  cwd: Flag.String("cwd").pipe(Flag.withDescription("The folder of the project. Default: this one"), Flag.optional),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("Print what would be written, and write nothing"),
    Flag.withDefault(false),
  ),
};

export const initCommand = Command.make("init", flags, (line) =>
  Effect.flatMap(
    Effect.promise(() => import("./init/initProject.ts")),
    ({ initProject }) => initProject({ ...line, cwd: Option.getOrUndefined(line.cwd) }),
  ),
).pipe(
  Command.withDescription(
    "Writes AGENTS.md, with what is found in the folder, and .kumiko/config.yaml; what is there stays",
  ),
);
