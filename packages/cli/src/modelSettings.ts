import { join } from "node:path";
import { type ModelSettings, parseModelSettings } from "@kumiko/models";
import * as Effect from "effect/Effect";
import { BadInput } from "./BadInput.ts";
import { configFolder } from "./config/configFiles.ts";
import { settingsText } from "./settingsText.ts";

/** The user's own file of models. No other is read: what lies in a project must not say where keys are sent. */
export const modelSettingsFile = (): string => join(configFolder(), "models.yaml");

/** Reads the user's file of models; none, none of its settings. */
export const readModelSettings: Effect.Effect<ModelSettings, BadInput> = Effect.gen(function* () {
  const file = modelSettingsFile();
  const text = yield* settingsText(file);
  if (text === undefined) return {};
  return yield* Effect.mapError(parseModelSettings(text, file), (error) => new BadInput({ detail: error.message }));
});
