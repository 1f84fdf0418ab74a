import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeYaml, looksSecret, nearest, readYaml } from "../src/index.ts";

const Settings = Schema.Struct({
  colour: Schema.optionalKey(Schema.Literals(["red", "green"])),
  nested: Schema.optionalKey(Schema.Array(Schema.Struct({ size: Schema.Int }))),
});

const told = async (text: string): Promise<string> => {
  const yaml = await Effect.runPromise(readYaml(text));
  const value = Result.flatMap(yaml.value, (raw) => decodeYaml(Settings, raw ?? {}, () => ["colour", "nested"]));
  if (Result.isSuccess(value)) return JSON.stringify(value.success);
  const { column, line } = yaml.placeOf(value.failure);
  return `${line}:${column}: ${value.failure.problem}`;
};

describe("settings in YAML", () => {
  it.each([
    ["colour: red\n", '{"colour":"red"}'],
    ["", "{}"],
    ["# mine\ncolor: red\n", '2:1: unknown key "color": expected colour, nested. Did you mean "colour"?'],
    ["colour: blue\n", '1:1: colour: expected "red" | "green"'],
    ["nested:\n  - size: 1\n  - size: big\n", "3:5: nested[1].size: expected number"],
    ["colour: [red\n", /^2:1: this is no valid YAML: /],
    ["colour: red\ncolour: green\n", /^2:1: this is no valid YAML: Map keys must be unique/],
    ["colour: *nothing\n", /^1:1: this YAML cannot be read: unresolved alias/i],
  ])("of %j say what is wrong, and where", async (text, expected) => {
    const answer = await told(text);
    if (typeof expected === "string") expect(answer).toBe(expected);
    else expect(answer).toMatch(expected);
  });

  it("says of a text that is nested without end what is wrong with it", async () => {
    const { value } = await Effect.runPromise(readYaml("[".repeat(20_000)));
    expect(Result.getOrUndefined(Result.flip(value))?.problem).toMatch(/nested too deeply/);
  });

  it("answers any text, with a place that is in it", async () => {
    const piece = fc.constantFrom(
      "colour",
      "nested",
      ": ",
      "\n",
      "  ",
      "- ",
      "[",
      "]",
      "{",
      "}",
      '"',
      "'",
      "&a ",
      "*a",
      "|",
      "#",
      "\t",
      "é",
      "1",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join("")),
        ),
        async (text) => {
          const yaml = await Effect.runPromise(readYaml(text));
          const value = Result.flatMap(yaml.value, (raw) => decodeYaml(Settings, raw ?? {}, () => []));
          if (Result.isSuccess(value)) return;
          const { column, line } = yaml.placeOf(value.failure);
          const lines = text.split("\n");
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
          expect(value.failure.problem).not.toBe("");
        },
      ),
    );
  });

  it("refuses a text that would unfold to millions of values", async () => {
    const bomb = ["a: &a [1,1,1,1,1,1,1,1,1]"];
    for (const [from, to] of ["ab", "bc", "cd", "de", "ef", "fg", "gh"])
      bomb.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(",")}]`);
    expect(await told(bomb.join("\n"))).toMatch(/this YAML cannot be read: .*alias/i);
  });

  it("repeats no secret that stands where a key should", async () => {
    const secret = "sk-abcdefghij0123456789";
    expect(looksSecret(secret)).toBe(true);
    expect(await told(`${secret}: 1\n`)).not.toContain(secret);
  });

  it("finds a word with a slip in it, and nothing for another", () => {
    const names = ["permissions", "fallbacks", "mode"];
    expect(
      ["permission", "permisions", "premissions", "MODE", "fallback", "mdoe"].map((word) => nearest(word, names)),
    ).toEqual(["permissions", "permissions", "permissions", "mode", "fallbacks", "mode"]);
    expect(nearest("colour", names)).toBeUndefined();
    expect(nearest("x".repeat(100_000), names)).toBeUndefined();
    expect(nearest("permsson", names, 1)).toBeUndefined();
  });
});
