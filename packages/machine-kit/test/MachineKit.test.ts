import { assert, describe, it } from "@effect/vitest";
import * as Cause from "effect/Cause";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import { TestClock } from "effect/testing";
import { createActor } from "xstate";
import { type ActorLog, MachineKit, replay, startCell, stepperOf } from "../src/index.ts";
import { type LampEvent, type LampIntent, lampMachine } from "./lamp.machine.ts";

const settle = Effect.yieldNow.pipe(Effect.repeat({ times: 5 }));

describe("MachineKit.run", () => {
  it.effect("performs intents and gives their events back to the machine", () =>
    Effect.gen(function* () {
      const performed: Array<LampIntent> = [];
      const actor = yield* MachineKit.run(lampMachine, {
        input: { most: 1 },
        perform: (intent) => {
          performed.push(intent);
          return Effect.succeed<LampEvent>({ type: "bulb.broke" });
        },
      });
      actor.send({ type: "switch.pressed" });
      yield* settle;
      assert.strictEqual(actor.snapshot().value, "broken");
      actor.send({ type: "bulb.replaced" });
      assert.strictEqual((yield* actor.done).value, "thrownAway");
      assert.deepStrictEqual(performed, [{ type: "intent.burn", key: "burning", times: 1 }]);
      assert.isFalse(actor.send({ type: "switch.pressed" }));
    }),
  );

  it.effect("takes nothing for an event that is none, whatever the types say", () =>
    Effect.gen(function* () {
      const actor = yield* MachineKit.run(lampMachine, {
        input: { most: 1 },
        perform: (): Effect.Effect<void> => Effect.succeed(true as never),
      });
      actor.send({ type: "switch.pressed" });
      yield* settle;
      assert.strictEqual(actor.snapshot().value, "on");
    }),
  );

  it.effect("runs delays on the clock it is given", () =>
    Effect.gen(function* () {
      const actor = yield* MachineKit.run(lampMachine, { input: { most: 2 }, perform: () => Effect.never });
      actor.send({ type: "switch.pressed" });
      yield* settle;
      yield* TestClock.adjust(999);
      assert.strictEqual(actor.snapshot().value, "on");
      yield* TestClock.adjust(1);
      yield* settle;
      assert.strictEqual(actor.snapshot().value, "off");
    }),
  );

  it.effect("cancels a delay with the state that started it", () =>
    Effect.gen(function* () {
      const actor = yield* MachineKit.run(lampMachine, { input: { most: 3 }, perform: () => Effect.never });
      actor.send({ type: "switch.pressed" });
      yield* settle;
      yield* TestClock.adjust(900);
      actor.send({ type: "switch.pressed" });
      actor.send({ type: "switch.pressed" });
      yield* settle;
      yield* TestClock.adjust(900);
      yield* settle;
      assert.strictEqual(actor.snapshot().value, "on");
    }),
  );

  it.effect("interrupts what a state started when the machine leaves it, and drops its event", () =>
    Effect.gen(function* () {
      const interrupted = yield* Deferred.make<void>();
      const actor = yield* MachineKit.run(lampMachine, {
        input: { most: 1 },
        perform: () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined)),
      });
      actor.send({ type: "switch.pressed" });
      yield* settle;
      actor.send({ type: "switch.pressed" });
      yield* Deferred.await(interrupted);
      yield* settle;
      assert.strictEqual(actor.snapshot().value, "off");
    }),
  );

  it.effect("interrupts everything with its scope", () =>
    Effect.gen(function* () {
      const interrupted = yield* Deferred.make<void>();
      const fiber = yield* Effect.forkChild(
        Effect.scoped(
          Effect.gen(function* () {
            const actor = yield* MachineKit.run(lampMachine, {
              input: { most: 1 },
              perform: () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined)),
            });
            actor.send({ type: "switch.pressed" });
            return yield* Effect.never;
          }),
        ),
      );
      yield* settle;
      yield* Fiber.interrupt(fiber);
      yield* Deferred.await(interrupted);
    }),
  );

  it.effect("ends with the defect of an intent", () =>
    Effect.gen(function* () {
      const actor = yield* MachineKit.run(lampMachine, {
        input: { most: 1 },
        perform: () => Effect.die(new Error("short circuit")),
      });
      actor.send({ type: "switch.pressed" });
      const exit = yield* Effect.exit(actor.done);
      assert.isTrue(Exit.isFailure(exit));
      if (Exit.isFailure(exit)) assert.match(String(Cause.squash(exit.cause)), /short circuit/);
    }),
  );

  it.effect("writes event and intents down before it performs, and commits where the log says", () =>
    Effect.gen(function* () {
      const story: Array<string> = [];
      const log: ActorLog<typeof lampMachine> = {
        event: ({ type }) => story.push(`event ${type}`),
        intent: ({ type }) => story.push(`intent ${type}`),
        commitsBefore: () => true,
        commit: () => Effect.sync(() => void story.push("commit")),
      };
      const actor = yield* MachineKit.run(lampMachine, {
        input: { most: 1 },
        log,
        perform: () => Effect.sync(() => void story.push("perform")),
      });
      actor.send({ type: "bulb.replaced" });
      actor.send({ type: "switch.pressed" });
      yield* settle;
      assert.deepStrictEqual(story, ["event switch.pressed", "intent intent.burn", "commit", "perform"]);
    }),
  );

  it.effect("ends with the failure of its log, and performs nothing after it", () =>
    Effect.gen(function* () {
      let performed = 0;
      const actor = yield* MachineKit.run(lampMachine, {
        input: { most: 1 },
        log: { event: () => {}, intent: () => {}, commitsBefore: () => true, commit: () => Effect.fail("disk full") },
        perform: () => Effect.sync(() => void performed++),
      });
      actor.send({ type: "switch.pressed" });
      assert.strictEqual(yield* Effect.flip(actor.done), "disk full");
      assert.strictEqual(performed, 0);
    }),
  );

  it.effect("goes on from a snapshot, and performs what is left to do without writing it down again", () =>
    Effect.gen(function* () {
      const story: Array<string> = [];
      const { snapshot } = replay(lampMachine, { most: 1 }, [{ type: "switch.pressed" }]);
      const actor = yield* MachineKit.run(lampMachine, {
        input: { most: 1 },
        from: { snapshot, intents: [{ type: "intent.burn", key: "burn", times: 1 }] },
        log: {
          event: ({ type }) => story.push(`event ${type}`),
          intent: ({ type }) => story.push(`intent ${type}`),
          commitsBefore: () => false,
          commit: () => Effect.void,
        },
        perform: ({ type }) => Effect.sync(() => void story.push(`perform ${type}`)),
      });
      yield* settle;
      assert.deepStrictEqual(story, ["perform intent.burn"]);
      assert.deepStrictEqual(actor.snapshot().value, snapshot.value);
    }),
  );

  it.effect("refuses events when its mailbox is full", () =>
    Effect.gen(function* () {
      const actor = yield* MachineKit.run(lampMachine, {
        input: { most: 1 },
        mailboxCapacity: 2,
        perform: () => Effect.never,
      });
      const sent = [1, 2, 3].map(() => actor.send({ type: "bulb.broke" }));
      assert.deepStrictEqual(sent, [true, true, false]);
    }),
  );
});

describe("stepperOf", () => {
  it("agrees with an ordinary XState actor on the same machine", () => {
    const emitted: Array<string> = [];
    const actor = createActor(lampMachine, { input: { most: 1 } });
    actor.on("*", ({ type }) => emitted.push(type));
    actor.start();
    const { snapshot, intents } = replay(lampMachine, { most: 1 }, [
      { type: "switch.pressed" },
      { type: "bulb.broke" },
    ]);
    actor.send({ type: "switch.pressed" });
    actor.send({ type: "bulb.broke" });
    assert.deepStrictEqual(
      { value: snapshot.value, intents: intents.map(({ type }) => type) },
      { value: actor.getSnapshot().value, intents: emitted },
    );
  });

  it("leaves an ended machine as it is", () => {
    const stepper = stepperOf(lampMachine);
    const { snapshot } = replay(lampMachine, { most: 0 }, [{ type: "switch.pressed" }, { type: "bulb.replaced" }]);
    assert.strictEqual(snapshot.status, "done");
    const after = stepper.step(snapshot, { type: "switch.pressed" });
    assert.strictEqual(after.snapshot, snapshot);
    assert.deepStrictEqual(after.intents, []);
  });

  it("refuses a machine that acts by itself", () => {
    const acting = lampMachine.provide({ actions: { burn: () => {} } });
    const stepper = stepperOf(acting);
    const { snapshot } = stepper.initial({ most: 1 });
    assert.throws(() => stepper.step(snapshot, { type: "switch.pressed" }), /may not act/);
  });
});

describe("startCell", () => {
  it("refuses machines with delays", () => {
    const { cell } = startCell(lampMachine, { most: 1 });
    assert.throws(() => cell.send({ type: "switch.pressed" }), /delays/);
  });
});
