export { layerMemory } from "./layerMemory.ts";
export { questionsMemory } from "./questionsMemory.ts";
