// What the examples in docstrings name.
import fc from "fast-check";

import { emit, setup } from "xstate";

type LampEvent = { readonly type: "switch.pressed" } | { readonly type: "bulb.broke" };

export const lampMachine = setup({
  types: {
    context: {} as { readonly broken: boolean },
    events: {} as LampEvent,
    emitted: {} as { readonly type: "intent.light" },
  },
}).createMachine({
  id: "lamp",
  context: { broken: false },
  initial: "off",
  states: {
    off: { on: { "switch.pressed": { target: "on", actions: emit({ type: "intent.light" }) } } },
    on: { on: { "switch.pressed": "off", "bulb.broke": "off" } },
  },
});
export const lampEvents: fc.Arbitrary<LampEvent> = fc.constantFrom<LampEvent>(
  { type: "switch.pressed" },
  { type: "bulb.broke" },
);
export const lampModel = {
  start: () => ({ state: false, intents: [] }),
  next: (on: boolean, { type }: LampEvent) =>
    type === "switch.pressed" ? { state: !on, intents: on ? [] : ["intent.light"] } : { state: false, intents: [] },
  phase: (on: boolean) => (on ? "on" : "off"),
};
export const recorded = {
  name: "on",
  input: undefined,
  events: [{ type: "switch.pressed" }],
  intents: [{ type: "intent.light" }],
} as const;
export const lampInputs: fc.Arbitrary<undefined> = fc.constant(undefined);
export const lampAlphabet: ReadonlyArray<LampEvent> = [{ type: "switch.pressed" }, { type: "bulb.broke" }];
