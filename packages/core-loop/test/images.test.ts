import { layerSqlite } from "@kumiko/journal/sqlite";
import type { ImagePart } from "@kumiko/plugin-api";
import { defineTool } from "@kumiko/plugin-api";
import { Journal, RunRefused, Runs } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import { defineHarness } from "../src/index.ts";
import { byReplies, freezing, freshFolder, last, options } from "./resumeSupport.ts";
import { calling } from "./support.ts";

const image = (data = "AAAA"): ImagePart => ({ type: "image", mediaType: "image/png", data });

describe("images of a prompt", () => {
  it("are what the model sees before the text, in this run and in those behind it", async () => {
    const { model, requests } = byReplies("a cat", "still a cat");
    const harness = defineHarness(options({ model }));
    await harness.run("what is this?", { images: [image("AAAA"), image("BBBB")] });
    await harness.run("sure?");
    const said = {
      role: "user",
      parts: [image("AAAA"), image("BBBB"), { type: "text", text: "what is this?" }],
    };
    expect(requests.map(({ messages }) => messages[0])).toEqual([said, said]);
    await harness.dispose();
  });

  it("are there after a kill in the middle, written down once", async () => {
    const directory = freshFolder();
    const begun = byReplies("a cat");
    const { frozen, sessions } = freezing(directory, 2, "before");
    const first = defineHarness({ ...options(begun), sessions });
    void first.run("what is this?", { images: [image("CCCC")] });
    await frozen;
    await first.dispose();

    const { model, requests } = byReplies("a cat");
    const second = defineHarness({ ...options({ model }), sessions: layerSqlite({ directory }) });
    expect(await last(second.resume("main"))).toMatchObject({ status: "done", text: "a cat" });
    expect(requests[0]?.messages[0]?.parts[0]).toEqual(image("CCCC"));
    await second.dispose();
    const records = await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(Journal, (journal) => journal.read("main")),
        layerSqlite({ directory }),
      ),
    );
    expect(JSON.stringify(records).match(/CCCC/g)).toHaveLength(1);
  });

  it("come with a message on the way as well", async () => {
    const { model, requests } = byReplies(calling(["slow", {}]), "an answer");
    const slow = defineTool({
      name: "slow",
      description: "-",
      input: Schema.Struct({}),
      risk: "read",
      execute: () => new Promise<string>((resolve) => setTimeout(() => resolve("ok"), 150)),
    });
    const harness = defineHarness({ ...options({ model }), tools: [slow] });
    const steered = Effect.gen(function* () {
      const handle = yield* (yield* Runs).start({ sessionKey: "main", input: "go" });
      yield* Effect.sleep(30);
      yield* handle.steer("and this one", [image("DDDD")]);
      const refused = yield* Effect.flip(handle.steer("and that", [image("no base64")]));
      yield* handle.wait;
      return refused;
    });
    expect(await Effect.runPromise(Effect.provide(steered, harness))).toMatchObject({ reason: "bad-image" });
    expect(requests[1]?.messages.at(-1)?.parts).toEqual([image("DDDD"), { type: "text", text: "and this one" }]);
    await harness.dispose();
  });

  it.each([
    ["more than a message takes", Array.from({ length: 21 }, () => image()), /there are 21, and a message takes 20/],
    ["of another type", [image(), { ...image(), mediaType: "image/svg+xml" }], /image 2 is of type image\/svg\+xml/],
    ["that is too large", [image("A".repeat(5_000_004))], /image 1 has 5000004 characters .* 5000000 are taken/],
    [
      "too large together",
      Array.from({ length: 5 }, () => image("A".repeat(4_800_000))),
      /together they have 24000000/,
    ],
    ["in no base64", [image("%%%%")], /image 1 is no base64/],
    ["of nothing", [image("")], /image 1 is no base64/],
  ])("are refused with the reason before anything is written down: %s", async (_, images, detail) => {
    const { model, requests } = byReplies("a cat");
    const harness = defineHarness(options({ model }));
    const refused = await harness.run("what is this?", { images }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RunRefused);
    expect(refused).toMatchObject({ reason: "bad-image", detail: expect.stringMatching(detail) });
    expect(requests).toEqual([]);
    await harness.dispose();
  });
});
