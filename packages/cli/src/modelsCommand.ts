import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";

const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false));

export const modelsCommand = Command.make("models", { json }, (line) =>
  Effect.flatMap(
    Effect.promise(() => import("./listModels.ts")),
    ({ listModels }) => listModels(line),
  ),
).pipe(
  Command.withDescription(
    "Lists providers, which of them have a key and from where, and what is known of models. No key is shown",
  ),
);
