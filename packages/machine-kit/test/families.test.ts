import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assign } from "xstate";
import { machineFamilies, mutantOf, type ReferenceModel } from "../src/testing/index.ts";
import { type LampEvent, lampMachine } from "./lamp.machine.ts";

const events: fc.Arbitrary<LampEvent> = fc.constantFrom<LampEvent>(
  { type: "switch.pressed" },
  { type: "bulb.broke" },
  { type: "bulb.replaced" },
);
const alphabet: ReadonlyArray<LampEvent> = [
  { type: "switch.pressed" },
  { type: "bulb.broke" },
  { type: "bulb.replaced" },
];

interface Lamp {
  readonly phase: "off" | "on" | "broken" | "thrownAway";
  readonly times: number;
  readonly most: number;
}
const quiet = (state: Lamp): { state: Lamp; intents: ReadonlyArray<string> } => ({ state, intents: [] });

const lampModel: ReferenceModel<typeof lampMachine, Lamp> = {
  start: ({ most }) => quiet({ phase: "off", times: 0, most }),
  phase: ({ phase }) => phase,
  next: (lamp, { type }) => {
    const out = { state: { ...lamp, phase: "off" } as Lamp, intents: ["intent.cancel"] };
    if (lamp.phase === "off" && type === "switch.pressed")
      return lamp.times >= lamp.most
        ? quiet({ ...lamp, phase: "broken" })
        : { state: { ...lamp, phase: "on", times: lamp.times + 1 }, intents: ["intent.burn"] };
    if (lamp.phase === "on" && (type === "switch.pressed" || type.startsWith("xstate.after"))) return out;
    if (lamp.phase === "on" && type === "bulb.broke") return { ...out, state: { ...lamp, phase: "broken" } };
    if (lamp.phase === "broken" && type === "bulb.replaced") return quiet({ ...lamp, phase: "thrownAway" });
    return quiet(lamp);
  },
};

const input = fc.record({ most: fc.integer({ min: 0, max: 3 }) });

describe("the six families on a sound machine", () => {
  const families = machineFamilies(lampMachine, { input, events, test: it });
  families.agreesWith(lampModel);
  families.always(
    "never burns more often than it may",
    ({ input: { most }, intents }) => intents.filter(({ type }) => type === "intent.burn").length <= most,
  );
  families.reachesEverything({ inputs: [{ most: 1 }], alphabet });
  families.resumesAtAnyCut();
  families.isDeterministicAndTotal();
  families.replays([
    {
      name: "on and off (0.1.0)",
      input: { most: 2 },
      events: [{ type: "switch.pressed" }, { type: "switch.pressed" }],
      intents: [
        { type: "intent.burn", key: "burning", times: 1 },
        { type: "intent.cancel", key: "burning" },
      ],
    },
  ]);
});

/** The names of the families that fail on a machine. */
const failuresOf = (machine: typeof lampMachine): ReadonlyArray<string> => {
  const failed: Array<string> = [];
  const families = machineFamilies(machine, {
    input,
    events,
    test: (name, run) => {
      try {
        run();
      } catch {
        failed.push(name.slice(0, 1));
      }
    },
  });
  families.agreesWith(lampModel);
  families.always(
    "counts",
    ({ input: { most }, intents }) => intents.filter(({ type }) => type === "intent.burn").length <= most,
  );
  families.reachesEverything({ inputs: [{ most: 1 }], alphabet });
  families.resumesAtAnyCut();
  families.isDeterministicAndTotal();
  families.replays([
    {
      name: "burns",
      input: { most: 2 },
      events: [{ type: "switch.pressed" }],
      intents: [{ type: "intent.burn", key: "burning", times: 1 }],
    },
  ]);
  return failed;
};

describe("the six families on broken machines", () => {
  it("a sound copy passes all", () => {
    expect(failuresOf(mutantOf(lampMachine, () => {}))).toEqual([]);
  });
  it("an ignored event is caught by model and reachability", () => {
    const failures = failuresOf(mutantOf(lampMachine, ({ states }) => delete states?.["on"]?.["on"]?.["bulb.broke"]));
    expect(failures).toContain("1");
  });
  it("a guard that is never true is caught by invariant and reachability", () => {
    const failures = failuresOf(lampMachine.provide({ guards: { isWornOut: () => false } }));
    expect(failures).toContain("2");
    expect(failures).toContain("3");
  });
  it("a state that nothing leads to is caught by reachability", () => {
    expect(failuresOf(mutantOf(lampMachine, ({ states }) => void (states!["attic"] = {})))).toEqual(["3"]);
  });
  it("a context that JSON cannot carry is caught by resuming", () => {
    const machine = lampMachine.provide({ actions: { count: assign({ times: () => Number.POSITIVE_INFINITY }) } });
    expect(failuresOf(machine)).toContain("4");
  });
  it("a guard that depends on the outside is caught by determinism", () => {
    let calls = 0;
    expect(failuresOf(lampMachine.provide({ guards: { isWornOut: () => calls++ % 7 === 3 } }))).toContain("5");
  });
  it("an action that throws is caught by totality", () => {
    const machine = lampMachine.provide({
      actions: {
        count: assign(() => {
          throw new Error("out of numbers");
        }),
      },
    });
    expect(failuresOf(machine)).toContain("5");
  });
  it("a changed intent is caught by the recorded history", () => {
    expect(failuresOf(mutantOf(lampMachine, ({ states }) => delete states?.["on"]?.["entry"]))).toContain("6");
  });
});
