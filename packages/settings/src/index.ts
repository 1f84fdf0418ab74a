export { nearest } from "./nearest.ts";
export { decodeYaml, looksSecret, type Path, readYaml, type YamlProblem, type YamlText } from "./YamlText.ts";
