import { readFileSync } from "node:fs";
import { Schema } from "effect";
import { describe, expect, it } from "vitest";
import { decideCommand } from "../src/index.ts";
import { place } from "./support.ts";

const Case = Schema.Struct({
  id: Schema.String,
  group: Schema.String,
  command: Schema.String,
  policy: Schema.Struct({ allow: Schema.Array(Schema.String), deny: Schema.Array(Schema.String) }),
  expected: Schema.String,
  also_ok: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
});
const file: unknown = JSON.parse(readFileSync(new URL("cases/permission-cases.json", import.meta.url), "utf8"));
const { cases } = Schema.decodeUnknownSync(Schema.Struct({ cases: Schema.Array(Case) }))(file);

const judged = cases.map((item) => {
  const verdict = decideCommand(item.command, { ...item.policy, ...place }).verdict;
  const isStrict = verdict === item.expected;
  const isLenient = isStrict || [item.also_ok ?? []].flat().includes(verdict);
  return { ...item, verdict, isStrict, isLenient, line: `${item.id} ${item.command} => ${verdict}` };
});

describe("the corpus of permission cases", () => {
  it("allows nothing that has to be refused", () => {
    const holes = judged.filter(
      ({ expected, verdict }) => verdict === "allow" && (expected === "hard-block" || expected === "deny"),
    );
    expect(holes.map(({ line }) => line)).toEqual([]);
  });

  it("refuses nothing that is harmless", () => {
    const refused = judged.filter(
      ({ group, verdict }) => group.startsWith("benign:") && (verdict === "hard-block" || verdict === "deny"),
    );
    expect(refused.map(({ line }) => line)).toEqual([]);
  });

  it("gives the expected verdict", () => {
    const strict = judged.filter(({ isStrict }) => isStrict).length;
    const lenient = judged.filter(({ isLenient }) => isLenient).length;
    console.log(`permission cases: strict ${strict}/${cases.length}, lenient ${lenient}/${cases.length}`);
    expect(cases.length).toBe(196);
    expect(judged.filter(({ isLenient }) => !isLenient).map(({ line }) => line)).toEqual([]);
    // The first runs the file that it downloads, which is refused and not asked about. The other two would enter by the
    // safe list, which a compound command never does.
    expect(judged.filter(({ isStrict }) => !isStrict).map(({ id }) => id)).toEqual(["AS-186", "AL-069", "AL-040"]);
  });
});
