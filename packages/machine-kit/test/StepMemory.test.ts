import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assign, setup } from "xstate";
import { StepMemory } from "../src/internal/StepMemory.ts";
import { stepperOf } from "../src/index.ts";

const counter = setup({
  types: {
    context: {} as { readonly n: number },
    events: {} as { readonly type: "add"; readonly by?: number } | { readonly type: "reset" },
  },
  actions: {
    add: assign({ n: ({ context, event }) => context.n + (event.type === "add" ? (event.by ?? 1) : 0) }),
    reset: assign({ n: 0 }),
  },
}).createMachine({ id: "counter", context: { n: 0 }, on: { add: { actions: "add" }, reset: { actions: "reset" } } });

describe("steps that are remembered", () => {
  it("are the same as steps that are computed", () => {
    const event = fc.oneof(
      fc.constant({ type: "add" as const }),
      fc.constant({ type: "reset" as const }),
      fc.integer({ min: 2, max: 9 }).map((by) => ({ type: "add" as const, by })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const stepper = stepperOf(counter);
        let { snapshot } = stepper.initial(undefined);
        let n = 0;
        for (const given of events) {
          n = given.type === "reset" ? 0 : n + ("by" in given ? given.by : 1);
          ({ snapshot } = stepper.step(snapshot, given));
          expect(snapshot.context.n).toBe(n);
        }
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it("are those by events without payload only, and give the very same snapshot", () => {
    const stepper = stepperOf(counter);
    const { snapshot } = stepper.initial(undefined);
    expect(stepper.step(snapshot, { type: "add" })).toBe(stepper.step(snapshot, { type: "add" }));
    expect(stepper.step(snapshot, { type: "add", by: 2 })).not.toBe(stepper.step(snapshot, { type: "add", by: 2 }));
    expect(stepper.step(snapshot, { type: "add", by: 3 }).snapshot.context.n).toBe(3);
  });

  it("are at most 512, however long a machine counts", () => {
    const memory = new StepMemory<object>();
    const snapshots = Array.from({ length: 600 }, () => ({}));
    for (const snapshot of snapshots) memory.add(snapshot, { type: "add" }, {});
    expect(snapshots.filter((snapshot) => memory.get(snapshot, { type: "add" }) !== undefined)).toHaveLength(512);
  });
});
