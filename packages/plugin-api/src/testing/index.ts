export { admittedForTest } from "./admittedForTest.ts";
export { type ConformanceCheck, ConformanceFailed, registerConformance } from "./ConformanceCheck.ts";
export { languageModelConformance, type LanguageModelConformanceOptions } from "./languageModelConformance.ts";
export { pluginConformance } from "./pluginConformance.ts";
