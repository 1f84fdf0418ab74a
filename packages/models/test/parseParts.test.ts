import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInParts } from "../src/builtInParts.ts";
import { loadParts } from "../src/loadParts.node.ts";
import { parseParts } from "../src/parseParts.ts";

const problemOf = async (yaml: string): Promise<string> =>
  (await Effect.runPromise(Effect.flip(parseParts(yaml, "parts.yaml")))).message;

const part = (rest: string): string => `- name: a\n  when: [a]\n${rest}`;

describe("parseParts", () => {
  it("reads the built-in parts", async () => {
    const parts = await Effect.runPromise(parseParts(builtInParts, "built-in"));
    expect(parts.map(({ name }) => name)).toEqual(["todo-report", "hello"]);
  });

  it("reads an empty list, and one call as well as several", async () => {
    expect(await Effect.runPromise(parseParts("[]", "x"))).toEqual([]);
    const yaml = part(
      "  steps:\n    - calls: [{ tool: t, input: { n: 1, deep: [{ x: null }] } }, { tool: u }]\n    - say: ok\n",
    );
    expect(await Effect.runPromise(parseParts(yaml, "x"))).toMatchObject([
      { steps: [{ calls: [{ tool: "t", input: { n: 1, deep: [{ x: null }] } }, { tool: "u" }] }, { say: "ok" }] },
    ]);
  });

  it.each([
    ["- name: [a\n", "parts.yaml:2:1: this is no valid YAML"],
    ["name: a\n", "parts.yaml:1:1: expected a list of parts"],
    ["", "expected a list of parts"],
    [
      part("  stepz: []\n"),
      'parts.yaml:3:3: unknown key "stepz": expected name, when, example, steps, otherwise. Did you mean "steps"?',
    ],
    [
      part("  steps:\n    - sy: x\n"),
      'parts.yaml:4:7: unknown key "sy": expected say, call, calls. Did you mean "say"?',
    ],
    [
      part("  steps:\n    - call: { tol: x }\n"),
      'parts.yaml:4:15: unknown key "tol": expected tool, input. Did you mean "tool"?',
    ],
    [part("  steps:\n    - say: 7\n"), "parts.yaml:4:7: steps[0].say: expected string"],
    ["- name: a\n  when: a\n  steps: [{ say: x }]\n", "parts.yaml:2:3: when: expected"],
    ["- name: a\n  when: [x, a*b*]\n  steps: [{ say: x }]\n", 'parts.yaml:2:13: "a*b*" has more than one *'],
    ["- name: a\n  when: ['|']\n  steps: [{ say: x }]\n", 'parts.yaml:2:10: "|" holds no word'],
    [part(""), "parts.yaml:1:3: steps: missing key"],
    [part("  steps: []\n"), "parts.yaml:3:3: steps[0]: missing key"],
    [part("  steps: [{ call: { tool: t } }]\n"), "parts.yaml:3:11: the last step must only say something"],
    [part("  steps: [{ say: a }, { say: b }]\n"), "parts.yaml:3:11: only the last step may do without a call"],
    [part("  steps:\n    - say: '{{ x'\n"), "parts.yaml:4:7: this template cannot be read"],
    [
      part("  steps:\n    - say: '{{ x | nofilter }}'\n"),
      "parts.yaml:4:7: this template cannot be read: undefined filter: nofilter",
    ],
    [
      part("  steps:\n    - call: { tool: t, input: { p: ['{% if %}'] } }\n    - say: x\n"),
      "parts.yaml:4:37: this template cannot be read",
    ],
    [
      `${part("  steps: [{ say: x }]\n")}${part("  steps: [{ say: x }]\n")}`,
      'parts.yaml:4:3: there is already a part named "a"',
    ],
    [
      `a: &a [x]\nb: &b [${"*a, ".repeat(20)}]\nc: &c [${"*b, ".repeat(20)}]\nd: [${"*c, ".repeat(20)}]\n`,
      "cannot be read",
    ],
  ])("says where and what for %o", async (yaml, message) => {
    expect(await problemOf(yaml)).toContain(message);
  });

  describe("from a file", () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "parts-"));
    });
    afterAll(() => rm(folder, { recursive: true }));

    it("loads it, and names it in what is wrong", async () => {
      const path = join(folder, "mine.yaml");
      await writeFile(path, part("  steps: [{ say: x }]\n"));
      expect(await Effect.runPromise(loadParts(path))).toHaveLength(1);
      await writeFile(path, "- nam: a\n");
      expect((await Effect.runPromise(Effect.flip(loadParts(path)))).message).toContain(
        `${path}:1:3: unknown key "nam"`,
      );
    });

    it("refuses what is missing, a folder, a pipe and what is far too large, without waiting", async () => {
      const pipe = join(folder, "pipe");
      execFileSync("mkfifo", [pipe]);
      const large = join(folder, "large");
      await writeFile(large, Buffer.alloc(1024 * 1024 + 1));
      for (const path of [join(folder, "none"), folder, pipe, large]) {
        const failure = await Effect.runPromise(Effect.flip(loadParts(path)));
        expect(failure.message).toContain(`${path}: cannot read this file of rehearsal parts`);
      }
    });
  });
});
