import { defineTool, type ToolResultPart } from "@kumiko/plugin-api";
import fc from "fast-check";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import { defineHarness } from "../src/index.ts";
import { shortenResult } from "../src/shortenResult.ts";
import { calling, gate, resultsIn, scripted } from "./support.ts";

const part = (text: string): ToolResultPart => ({ type: "tool-result", callId: "c", name: "t", status: "ok", text });

describe("shortenResult", () => {
  it("leaves a result as it is that is short and plain", () => {
    const result = part("x".repeat(2_000));
    expect(shortenResult(result, "r1", 30_000).result).toBe(result);
  });

  it("keeps head and tail, says what is left out and how to read it, and gives the whole", () => {
    const text = Array.from({ length: 5_000 }, (_, line) => `line ${line}`).join("\n");
    const { result, whole } = shortenResult(part(text), "r7", 30_000);
    expect(result.text.length).toBeLessThan(30_300);
    expect(result.text.startsWith("line 0\nline 1\n")).toBe(true);
    expect(result.text.endsWith("line 4999")).toBe(true);
    expect(result.text).toContain('read more of it with result_read, reference "r7"');
    expect(new TextDecoder().decode(whole?.bytes)).toBe(text);
    expect(result.kept).toMatchObject({ reference: "r7", characters: text.length });
  });

  it("cuts no character in half, whatever the text, and leaves out only what it says", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("😀", "é", "a\n", "語"), { minLength: 300, maxLength: 900 }), (pieces) => {
        const text = pieces.join("");
        const { text: shown } = shortenResult(part(text), "r1", 200).result;
        expect(shown.isWellFormed()).toBe(true);
        const left = Number(/\n\n\((-?\d+) characters/.exec(shown)?.[1] ?? 0);
        const [head = "", tail = ""] = shown.split(/\n\n\(-?\d+ characters.*\)\n\n/);
        if (text.length > 500) {
          expect(left).toBeGreaterThan(0);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
          expect(head.length + left + tail.length).toBe(text.length);
        }
      }),
      { seed: 5 },
    );
  });

  it("shows long base64 as its size; 400 characters of it, hex and rules of one character stay", () => {
    const binary = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 37) % 256)).toString("base64");
    expect(shortenResult(part(`data: ${binary} end`), "r1", 30_000).result.text).toMatch(
      /^data: \[binary data: 900 bytes\] end\n\(the whole result has/,
    );
    for (const text of [binary.slice(0, 400).padEnd(600, " "), "0123456789abcdef".repeat(60), "=".repeat(900)])
      expect(shortenResult(part(text), "r1", 30_000).result.text).toBe(text);
  });
});

describe("a large result", () => {
  const readingOf = async (
    text: string,
    ...calls: ReadonlyArray<ReadonlyArray<readonly [name: string, input: object]>>
  ) => {
    const dump = defineTool({
      name: "dump",
      description: "-",
      input: Schema.Struct({}),
      risk: "read",
      cacheable: true,
      execute: () => text,
    });
    const { model, requests } = scripted(...calls.map((wanted) => calling(...wanted)), "done");
    const harness = defineHarness({ model, permissions: gate(), tools: [dump] });
    await harness.run("go");
    await harness.dispose();
    return resultsIn(requests.at(-1)!.messages);
  };

  it("is shortened once, however often it is used", async () => {
    const text = "line of text\n".repeat(5_000);
    const results = await readingOf(
      text,
      [
        ["dump", {}],
        ["dump", {}],
      ],
      [["dump", {}]],
    );
    expect(results.length).toBe(3);
    for (const result of results)
      expect(result).toContain(`has ${text.length} characters; read more of it with result_read, reference "r1"`);
  });

  it("is read without cutting a character in half", async () => {
    const [, read = ""] = await readingOf(
      `x${"😀".repeat(30_000)}`,
      [["dump", {}]],
      [["result_read", { reference: "r1" }]],
    );
    expect(read.length).toBeGreaterThan(19_000);
    expect(read.isWellFormed()).toBe(true);
  });

  it("is shortened for the model, which can read all of it again", async () => {
    const text = Array.from({ length: 9_000 }, (_, line) => `row ${line}`).join("\n");
    const dump = defineTool({
      name: "dump",
      description: "-",
      input: Schema.Struct({}),
      risk: "read",
      execute: () => text,
    });
    const reading = [0, 20_000, 40_000, 60_000].map((offset) => calling(["result_read", { reference: "r1", offset }]));
    const { model, requests } = scripted(
      calling(["dump", {}]),
      ...reading,
      calling(["result_read", { reference: "r2" }]),
      "done",
    );
    const harness = defineHarness({ model, permissions: gate(), tools: [dump] });
    expect((await harness.run("go")).status).toBe("done");
    const results = resultsIn(requests.at(-1)!.messages);
    expect(results[0]!.length).toBeLessThan(30_400);
    const read = results.slice(1, -1).map((result) => result.replace(/^ok: /, "").replace(/\n\(\d+ more.*\)$/, ""));
    expect(read.join("")).toBe(text);
    expect(results.at(-1)).toContain('there is no result under the reference "r2"');
    await harness.dispose();
  });
});
