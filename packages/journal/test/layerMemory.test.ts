import { describe, it } from "vitest";
import { layerMemory } from "../src/index.ts";
import { journalConformance } from "../src/testing/index.ts";

describe("layerMemory", () => {
  journalConformance({ layer: () => layerMemory, test: it });
});
