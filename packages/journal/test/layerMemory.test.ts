import * as Layer from "effect/Layer";
import { describe, it } from "vitest";
import { layerMemory, questionsMemory } from "../src/index.ts";
import { journalConformance, questionsConformance } from "../src/testing/index.ts";

describe("layerMemory", () => {
  journalConformance({ layer: () => layerMemory, test: it });
});

describe("questionsMemory", () => {
  questionsConformance({ layer: () => Layer.merge(layerMemory, questionsMemory), test: it });
});
