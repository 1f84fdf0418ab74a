import type { LanguageModel } from "@kumiko/plugin-api";
import { anthropic } from "./anthropic.ts";
import type { ModelChoice, RemoteChoice } from "./ModelChoice.ts";
import { openAiCompatible } from "./openAiCompatible.ts";
import { openAiResponses } from "./openAiResponses.ts";
import { rehearsal, type RehearsalOptions } from "./rehearsal.ts";

/** Makes the model that `modelFor` chose. Throws `ModelSettingsInvalid` when key, URL or proxy cannot work. */
export const makeModel = (choice: ModelChoice, options: RehearsalOptions = {}): LanguageModel =>
  makeModels(choice, options)[0];

/**
 * Makes the model that `modelFor` chose and, after it, those that may stand in for it: other accounts, then fallbacks.
 * None opens a connection before it is called. Throws as `makeModel` does.
 *
 * @example
 * ```ts
 * const [model, ...standIns] = makeModels(Result.getOrThrow(modelFor(undefined, process.env)))
 * ```
 */
export const makeModels = (
  choice: ModelChoice,
  options: RehearsalOptions = {},
): readonly [LanguageModel, ...ReadonlyArray<LanguageModel>] => {
  if (choice.type === "rehearsal") return [rehearsal(options)];
  const { candidates, ...chosen } = choice;
  return [makeRemote(chosen), ...candidates.map(makeRemote)];
};

const makeRemote = (choice: Omit<RemoteChoice, "candidates">): LanguageModel => {
  const { type: _, wire, authToken, maxTokensField, sendsReasoning, ...settings } = choice;
  switch (wire) {
    case "anthropic":
      return anthropic({ ...settings, ...(authToken === undefined ? {} : { authToken }) });
    case "responses":
      return openAiResponses(settings);
    case "chat":
      return openAiCompatible({
        ...settings,
        ...(maxTokensField === undefined ? {} : { maxTokensField }),
        ...(sendsReasoning === undefined ? {} : { sendsReasoning }),
      });
  }
};
