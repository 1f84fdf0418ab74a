import { type AskedCall, modelServer, type ScriptedReply, wireFormats } from "@kumiko/models/testing";
import { describe, expect, it } from "vitest";
import { inScratch } from "./inScratch.ts";
import { modelOn } from "./modelOn.ts";
import { sessionHarness } from "./wires/session.ts";

const pairs = wireFormats.flatMap((from) => wireFormats.map((to) => [from, to] as const));

/** What each model thinks; nobody else says it. */
const thoughts = { first: "What the first one thinks.", second: "What the second one thinks." };
const look = (model: keyof typeof thoughts, thing: string): ScriptedReply => ({
  reasoning: thoughts[model],
  text: `I look at ${thing}.`,
  calls: [{ name: "look", input: { thing }, id: `look_${thing}` }],
});
const bodies = (asked: ReadonlyArray<AskedCall>): ReadonlyArray<string> =>
  asked.map(({ body }) => JSON.stringify(body));
/** What Anthropic's scripted server signs its thoughts with. */
const signature = "c2lnbmVk";

describe("a session that changes its model, on another wire or the same", () => {
  it.each(pairs)(
    "from %s to %s within a run, and back with the next: thoughts stay where they were",
    async (from, to) => {
      await inScratch(async (directory) => {
        await using first = await modelServer({
          script: [look("first", "a"), { reasoning: thoughts.first, text: "Back again." }],
          faults: [undefined, "status-401"],
        });
        await using second = await modelServer({
          script: [look("second", "b"), { reasoning: thoughts.second, text: "Both seen." }],
        });
        const executed: Array<string> = [];
        const harness = sessionHarness(
          [modelOn(from, first), modelOn(to, second, { model: "second" })],
          directory,
          executed,
        );
        expect(await harness.run("Look at both.")).toMatchObject({ status: "done", text: "Both seen." });
        expect(await harness.run("Well?")).toMatchObject({ status: "done", text: "Back again." });
        await harness.dispose();

        expect(executed).toEqual(["look a", "look b"]);
        expect(first.asked.map(({ fault, wire }) => fault ?? wire)).toEqual([from, "status-401", from]);
        for (const body of bodies(second.asked)) {
          expect(body).toContain("look: a is fine");
          expect(body).not.toContain(thoughts.first);
          if (to !== "anthropic") expect(body).not.toContain(signature);
        }
        const back = bodies(first.asked).at(-1) ?? "";
        expect(back).toContain("look: b is fine");
        expect(back).not.toContain(thoughts.second);
        // Its own it gets back as it gave it, where the wire hands thoughts back at all.
        if (from === "anthropic") {
          expect(back).toContain(thoughts.first);
          expect(back).toContain(signature);
        }
      });
    },
  );
});
