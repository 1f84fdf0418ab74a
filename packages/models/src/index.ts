export { loadParts } from "./loadParts.node.ts";
export { makeModel } from "./makeModel.ts";
export { type Environment, type ModelChoice, modelFor, ModelNameInvalid } from "./modelFor.ts";
export { ModelSettingsInvalid } from "./ModelSettingsInvalid.ts";
export { type ClosableLanguageModel, openAiCompatible, type OpenAiCompatibleOptions } from "./openAiCompatible.ts";
export { parseParts } from "./parseParts.ts";
export { rehearsal, type RehearsalOptions } from "./rehearsal.ts";
export { RehearsalCall, RehearsalPart, RehearsalPartsInvalid, RehearsalStep } from "./RehearsalPart.ts";
