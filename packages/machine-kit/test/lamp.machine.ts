import { assign, emit, setup } from "xstate";

export type LampEvent =
  | { readonly type: "switch.pressed" }
  | { readonly type: "bulb.broke" }
  | { readonly type: "bulb.replaced" };

export type LampIntent =
  | { readonly type: "intent.burn"; readonly key: string; readonly times: number }
  | { readonly type: "intent.cancel"; readonly key: string };

/** A lamp that goes out by itself: small, with every feature the kit knows (guards, delays, intents, a final state). */
export const lampMachine = setup({
  types: {
    context: {} as { readonly times: number; readonly most: number },
    events: {} as LampEvent,
    emitted: {} as LampIntent,
    input: {} as { readonly most: number },
  },
  guards: { isWornOut: ({ context }) => context.times >= context.most },
  actions: {
    count: assign({ times: ({ context }) => context.times + 1 }),
    burn: emit(({ context }) => ({ type: "intent.burn" as const, key: "burning", times: context.times })),
    stopBurning: emit({ type: "intent.cancel" as const, key: "burning" }),
  },
  delays: { patience: 1000 },
}).createMachine({
  id: "lamp",
  context: ({ input }) => ({ times: 0, most: input.most }),
  initial: "off",
  states: {
    off: {
      on: {
        "switch.pressed": [
          { guard: "isWornOut", target: "broken" },
          { target: "on", actions: "count" },
        ],
      },
    },
    on: {
      entry: "burn",
      exit: "stopBurning",
      after: { patience: "off" },
      on: { "switch.pressed": "off", "bulb.broke": "broken" },
    },
    broken: { on: { "bulb.replaced": "thrownAway" } },
    thrownAway: { type: "final" },
  },
});
