import { describe, it } from "vitest";
import { layerSqlite } from "../src/sqlite.ts";
import { inboxConformance, journalConformance, questionsConformance } from "../src/testing/index.ts";
import { freshFolder } from "./freshFolder.ts";

const layer = () => layerSqlite({ directory: freshFolder() });

describe("layerSqlite", () => {
  journalConformance({ layer, test: it });
  questionsConformance({ layer, test: it });
  inboxConformance({ layer, test: it });
});
