import { loadParts, makeModels, modelFor } from "@kumiko/models";
import type { LanguageModel } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import { BadInput } from "./BadInput.ts";
import type { CommandLine } from "./command.ts";
import { messageOf } from "./messageOf.ts";
import { readModelSettings } from "./modelSettings.ts";

/** The model of a run, and those that stand in for it in their order. */
export type Models = readonly [LanguageModel, ...ReadonlyArray<LanguageModel>];

/** Makes the models that the command line, the user's file and the environment name. Nothing is connected. */
export const chooseModels = Effect.fnUntraced(function* (
  line: Pick<CommandLine, "fallback" | "model" | "rehearsal">,
): Effect.fn.Return<Models, BadInput> {
  // People who watch like to see words come; programs do not wait for them.
  const paceMillis = process.stderr.isTTY ? 12 : 0;
  if (line.rehearsal !== undefined) {
    const parts = yield* Effect.mapError(loadParts(line.rehearsal), (error) => new BadInput({ detail: error.message }));
    return makeModels({ type: "rehearsal" }, { parts, paceMillis });
  }
  const settings = yield* readModelSettings;
  const fallbacks = line.fallback.length > 0 ? line.fallback : (settings.fallbacks ?? []);
  const choice = yield* Effect.mapError(
    Effect.fromResult(modelFor(line.model, process.env, { ...settings, fallbacks })),
    (error) => new BadInput({ detail: error.message }),
  );
  return yield* Effect.try({
    try: () => makeModels(choice, { paceMillis }),
    catch: (error) => new BadInput({ detail: messageOf(error) }),
  });
});

/** What to say of a model whose limits or price are not known; `undefined` where all is. */
export const unknownFigures = ({ contextWindowTokens, id, isRehearsal, prices }: LanguageModel): string | undefined => {
  if (isRehearsal === true) return undefined;
  const unknown = [
    ...(contextWindowTokens === undefined ? ["context window"] : []),
    ...(prices === undefined ? ["price"] : []),
  ];
  return unknown.length === 0
    ? undefined
    : `the ${unknown.join(" and the ")} of ${id} ${unknown.length > 1 ? "are" : "is"} not known; kumiko models says where to set them`;
};
