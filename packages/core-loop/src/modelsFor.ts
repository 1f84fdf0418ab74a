import type { LanguageModel } from "@kumiko/plugin-api";
import type { ModelRef } from "./ModelRecovery.ts";

/** A model as a run's machine knows it. */
export const modelRefOf = ({ contextWindowTokens, id, profile }: LanguageModel): ModelRef => ({
  model: id,
  ...(profile === undefined ? {} : { profile }),
  ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
});

/** Whether two are the same model by the same account. */
export const isSameModel = (a: ModelRef | undefined, b: ModelRef | undefined): boolean =>
  a?.model === b?.model && a?.profile === b?.profile;

/** What a run says of the model it wants to begin with. */
export interface ModelWish {
  readonly model?: string;
  readonly profile?: string;
}

/**
 * The models of a run, in the order they are asked: the wanted one first, the others behind it as they are. Undefined:
 * there is none such.
 */
export const modelsFor = (
  models: ReadonlyArray<LanguageModel>,
  { model, profile }: ModelWish,
): ReadonlyArray<LanguageModel> | undefined => {
  if (model === undefined && profile === undefined) return models;
  const wanted = models.find(
    (other) => (model === undefined || other.id === model) && (profile === undefined || other.profile === profile),
  );
  return wanted === undefined ? undefined : [wanted, ...models.filter((other) => other !== wanted)];
};
