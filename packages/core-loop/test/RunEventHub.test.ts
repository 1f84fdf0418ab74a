import type { RunEvent } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { describe, expect, it } from "vitest";
import { RunEventHub } from "../src/RunEventHub.ts";

const hubOf = (observed: boolean): RunEventHub =>
  new RunEventHub({ runId: "r", sessionKey: "s", now: () => 0, observed });
const read = (hub: RunEventHub): Promise<ReadonlyArray<RunEvent>> => Effect.runPromise(Stream.runCollect(hub.events));
const delta = (text: string) => ({ type: "assistant.delta", text }) as const;
const nudge = (text: string) => ({ type: "loop.nudge", text }) as const;

describe("RunEventHub", () => {
  it("keeps events for a first reader that comes late", async () => {
    const hub = hubOf(true);
    hub.publish(nudge("a"));
    hub.publish(nudge("b"));
    hub.end();
    expect((await read(hub)).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await read(hub)).toEqual([]);
  });

  it("keeps nothing for nobody", async () => {
    const hub = hubOf(false);
    expect(hub.hasReaders).toBe(false);
    hub.publish(nudge("a"));
    hub.end();
    expect(await read(hub)).toEqual([]);
  });

  it("merges the deltas a reader has not read, in order, and nothing else", async () => {
    const hub = hubOf(true);
    for (const text of ["a", "b", "c"]) hub.publish(delta(text));
    hub.publish(nudge("n"));
    hub.publish(nudge("n"));
    hub.publish(delta("d"));
    hub.publish({ type: "reasoning.delta", text: "e" });
    hub.end();
    const events = await read(hub);
    expect(events.map((event) => ("text" in event ? event.text : ""))).toEqual(["abc", "n", "n", "d", "e"]);
    expect(events[0]?.seq).toBe(3);
  });

  it("replaces unread progress of a call by newer progress, and keeps calls apart", async () => {
    const hub = hubOf(true);
    for (const [callId, text] of [
      ["1", "10%"],
      ["1", "20%"],
      ["2", "5%"],
    ] as const)
      hub.publish({ type: "tool.update", callId, text });
    hub.end();
    expect((await read(hub)).map((event) => ("text" in event ? event.text : ""))).toEqual(["20%", "5%"]);
  });

  it("cuts off a reader that is 10 000 events behind, and goes on", async () => {
    const hub = hubOf(true);
    for (let n = 0; n < 10_001; n++) hub.publish(nudge(`${n}`));
    expect(hub.hasReaders).toBe(false);
    await expect(read(hub)).rejects.toThrow(/fell 10000 events behind/);
  });

  it("does not wait for slow readers and serves several", async () => {
    const hub = hubOf(true);
    const readers = [read(hub), read(hub)];
    await new Promise((resolve) => setTimeout(resolve, 5));
    hub.publish(nudge("x"));
    hub.end();
    for (const events of await Promise.all(readers)) expect(events).toHaveLength(1);
  });
});
