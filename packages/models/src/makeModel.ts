import type { LanguageModel } from "@kumiko/plugin-api";
import type { ModelChoice } from "./modelFor.ts";
import { openAiCompatible } from "./openAiCompatible.ts";
import { rehearsal, type RehearsalOptions } from "./rehearsal.ts";

/** Makes the model that `modelFor` chose. Throws `ModelSettingsInvalid` when key or URL cannot work. */
export const makeModel = (choice: ModelChoice, options: RehearsalOptions = {}): LanguageModel => {
  if (choice.type === "rehearsal") return rehearsal(options);
  const { type: _, ...settings } = choice;
  return openAiCompatible(settings);
};
