import { type ModelEvent, parseToolInput } from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeReplyDraft } from "../src/ReplyDraft.ts";

const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }).map((value) => JSON.stringify(value));
const args = fc.oneof(
  object,
  object.map((text) => JSON.stringify(text)),
  fc.tuple(fc.constantFrom(" ", "\n\t", ""), object).map(([space, text]) => space + JSON.stringify(text)),
  fc.string(),
  fc.string().map((text) => `"${text}`),
  fc.constantFrom("", " ", '""', '"{}"', "null", '"[1]"'),
);

const options = { toolChoice: "auto", messageCount: 1, requestBytes: 0 } as const;

describe("ReplyDraft", () => {
  it("tells of arguments what becomes of them, however they come and are cut", () => {
    fc.assert(
      fc.property(args, fc.array(fc.nat(), { maxLength: 6 }), fc.boolean(), (text, cuts, isNamedLate) => {
        const events: Array<ModelEvent> = [];
        const draft = makeReplyDraft(options, (event) => events.push(event));
        const call = draft.call("c");
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length];
        const pieces = places.map((place, at) => text.slice(places[at - 1] ?? 0, place));
        if (!isNamedLate) draft.addToCall(call, "t", "");
        for (const piece of pieces) draft.addToCall(call, "", piece);
        if (isNamedLate) draft.addToCall(call, "t", "");
        const { message } = Result.getOrThrow(draft.finish({ stop: "end", usage: undefined }));
        const told = events.map((event) => (event.type === "toolCall.delta" ? event.text : "")).join("");
        expect(message.parts).toEqual([{ type: "tool-call", id: "c", name: "t", ...parseToolInput(told) }]);
        expect(events.map(({ type }) => type).filter((type) => type !== "toolCall.delta")).toEqual([
          "toolCall.start",
          "toolCall.end",
        ]);
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  it("refuses a reply whose call has no name", () => {
    const draft = makeReplyDraft(options, () => undefined);
    draft.addToCall(draft.call("c"), "", "{}");
    expect(Result.isFailure(draft.finish({ stop: "end", usage: undefined }))).toBe(true);
  });
});
