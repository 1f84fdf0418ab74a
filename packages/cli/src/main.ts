import * as NodeServices from "@effect/platform-node/NodeServices";
import * as Cause from "effect/Cause";
import * as CliError from "effect/cli/CliError";
import * as CliOutput from "effect/cli/CliOutput";
import * as Command from "effect/cli/Command";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import { BadInput } from "./BadInput.ts";
import { kumiko } from "./command.ts";
import { exitCodes } from "./exitCodes.ts";
import { printable } from "./printable.ts";
import { SessionInUse } from "./SessionInUse.ts";
import { version } from "./version.ts";

// What is wrong with a command line comes alone: below a page of help nobody finds it.
const briefOnErrors: CliOutput.Presenter = {
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Effect.sync(() => {
          for (const { message } of event.errors) process.stderr.write(`kumiko: ${printable(message.trim())}\n`);
          process.stderr.write("See kumiko --help.\n");
        })
      : CliOutput.defaultPresenter.present(event),
};

// `kumiko help config` asks for what `kumiko config --help` tells.
const commandLine = ([first, ...rest]: ReadonlyArray<string>): ReadonlyArray<string> =>
  first === undefined ? [] : first === "help" ? [...rest, "--help"] : [first, ...rest];

// A reader that has enough, such as `head`, is no error to be shown; what is left to write goes nowhere.
process.stdout.on("error", () => (process.exitCode = exitCodes.outputClosed));
process.stderr.on("error", () => {});

const exit = await Effect.runPromiseExit(
  Command.runWith(kumiko, { version })(commandLine(process.argv.slice(2))).pipe(
    Effect.provide(Layer.merge(NodeServices.layer, CliOutput.layerPresenter(briefOnErrors))),
  ),
);
if (Exit.isFailure(exit)) {
  const error: unknown = Cause.squash(exit.cause);
  // The command line itself reports what it could not parse.
  if (!CliError.isCliError(error))
    process.stderr.write(`kumiko: ${printable(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode =
    CliError.isCliError(error) || error instanceof BadInput
      ? exitCodes.badInput
      : error instanceof SessionInUse
        ? exitCodes.inUse
        : exitCodes.error;
}
