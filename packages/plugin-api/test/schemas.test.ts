import { describe, expect, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import fc from "fast-check";
import {
  addUsage,
  type AssistantMessage,
  AuditRecord,
  canonicalJson,
  type Decision,
  extensionPoint,
  isEphemeral,
  type Json,
  Message,
  noUsage,
  parseToolInput,
  RunEvent,
  strictest,
  textOf,
  toolCallsOf,
  Usage,
  userText,
  worseRisk,
} from "../src/index.ts";

const settings = { numRuns: 200, seed: 11 };
const json: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)));
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("everything durable survives JSON", () => {
  it.prop("Message", [Message], ([value]) => {
    expect(Schema.decodeUnknownSync(Message)(throughJson(value))).toEqual(throughJson(value));
  });
  it.prop("RunEvent", [RunEvent], ([value]) => {
    expect(Schema.decodeUnknownSync(RunEvent)(throughJson(value))).toEqual(throughJson(value));
  });
  it.prop("AuditRecord", [AuditRecord], ([value]) => {
    expect(Schema.decodeUnknownSync(AuditRecord)(throughJson(value))).toEqual(throughJson(value));
  });
  it("refuses an event of a version it does not know", () => {
    const event = { schemaVersion: 2, type: "loop.nudge", runId: "r", sessionKey: "s", seq: 1, time: 0, text: "x" };
    expect(() => Schema.decodeUnknownSync(RunEvent)(event)).toThrow(/schemaVersion|Expected/);
    expect(Schema.decodeUnknownSync(RunEvent)({ ...event, schemaVersion: 1 })).toBeTruthy();
  });
});

describe("canonicalJson", () => {
  it("does not depend on the order of keys and keeps everything else", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).toReversed());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
      settings,
    );
  });
  it("tells different values apart", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        try {
          expect(a).not.toEqual(b);
        } catch {
          return;
        }
        expect(canonicalJson(a)).not.toBe(canonicalJson(b));
      }),
      settings,
    );
  });
});

describe("messages", () => {
  it("give their text and their calls", () => {
    const message: AssistantMessage = {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "a" },
        { type: "tool-call", id: "1", name: "x", input: {} },
        { type: "text", text: "b" },
      ],
    };
    expect(textOf(message)).toBe("ab");
    expect(toolCallsOf(message).map(({ id }) => id)).toEqual(["1"]);
    expect(textOf(userText("hello"))).toBe("hello");
  });
});

describe("parseToolInput", () => {
  it("takes objects, takes nothing for no arguments, and keeps the rest as it came", () => {
    expect(parseToolInput('{"a":1}')).toEqual({ input: { a: 1 } });
    expect(parseToolInput("  ")).toEqual({ input: {} });
    for (const text of ["[1]", '"a"', "null", '{"a":', "7"])
      expect(parseToolInput(text)).toEqual({ input: null, malformed: text });
  });
});

describe("usage", () => {
  it.prop("adds up in any order, and noUsage adds nothing", [Usage, Usage], ([a, b]) => {
    expect(throughJson(addUsage(a, b))).toEqual(throughJson(addUsage(b, a)));
    expect(throughJson(addUsage(a, noUsage))).toEqual(throughJson(a));
  });
});

describe("decisions", () => {
  const decision = (verdict: Decision["verdict"]): Decision => ({
    verdict,
    layer: "default",
    reason: "-",
    risk: "read",
    resources: [],
    effects: [],
  });
  it("the strictest wins, the first among equals", () => {
    const verdicts = fc.constantFrom("hard-block" as const, "deny" as const, "ask" as const, "allow" as const);
    fc.assert(
      fc.property(verdicts, fc.array(verdicts), (first, rest) => {
        const all = [first, ...rest].map(decision);
        const [head, ...tail] = all;
        if (head === undefined) return;
        const found = strictest([head, ...tail]);
        const order = ["hard-block", "deny", "ask", "allow"];
        const best = order.find((verdict) => [first, ...rest].some((given) => given === verdict));
        expect(found.verdict).toBe(best);
        expect(all.indexOf(found)).toBe(all.findIndex(({ verdict }) => verdict === best));
      }),
      settings,
    );
  });
  it("the graver risk wins", () => {
    expect(worseRisk("read", "irreversible")).toBe("irreversible");
    expect(worseRisk("remote-write", "local-write")).toBe("remote-write");
  });
});

describe("extension points", () => {
  it("give values by priority, then in the order they were added, and never those of another point", () => {
    const words = extensionPoint<string>("test/words");
    const numbers = extensionPoint<number>("test/words");
    const added = [
      words.add("c"),
      numbers.add(1),
      words.add("a", { priority: 5 }),
      words.add("d"),
      words.add("b", { priority: 5 }),
    ];
    expect(words.valuesIn(added)).toEqual(["a", "b", "c", "d"]);
    expect(numbers.valuesIn(added)).toEqual([1]);
  });
});

describe("isEphemeral", () => {
  it("holds for fragments only", () => {
    expect(isEphemeral({ type: "assistant.delta" })).toBe(true);
    expect(isEphemeral({ type: "assistant.end" })).toBe(false);
    expect(isEphemeral({ type: "tool.end" })).toBe(false);
  });
});
