import * as NodeServices from "@effect/platform-node/NodeServices";
import * as Cause from "effect/Cause";
import * as CliError from "effect/cli/CliError";
import * as Command from "effect/cli/Command";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { BadInput } from "./BadInput.ts";
import { kumiko } from "./command.ts";
import { exitCodes } from "./exitCodes.ts";
import { version } from "./version.ts";

const exit = await Effect.runPromiseExit(
  Command.runWith(kumiko, { version })(process.argv.slice(2)).pipe(Effect.provide(NodeServices.layer)),
);
if (Exit.isFailure(exit)) {
  const error: unknown = Cause.squash(exit.cause);
  // The command line itself reports what it could not parse.
  if (!CliError.isCliError(error))
    process.stderr.write(`kumiko: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = CliError.isCliError(error) || error instanceof BadInput ? exitCodes.badInput : exitCodes.error;
}
