import { ToolFailed, type ToolOutput } from "@kumiko/plugin-api";
import { isAdmittedCall } from "@kumiko/plugin-api/admission";
import type { JournalFailed } from "@kumiko/runtime-api";
import * as Cause from "effect/Cause";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { CallSlot } from "./CallSlot.ts";
import { executionPlan } from "./executionPlan.ts";
import { messageOf } from "./guarded.ts";
import { intend, reachesOut } from "./intend.ts";
import type { RunContext } from "./RunContext.ts";
import type { ToolCallEvent } from "./tool-call.machine.ts";
import { toolContext } from "./toolContext.ts";
import { plainEvents } from "./plainEvents.ts";
import { withTimeout } from "./withTimeout.ts";

/**
 * Phase 2: runs what was admitted, side by side up to the limit. Calls that may write the same thing run one after
 * another, in order, as planned before the first starts. What is not only read is written down before it runs. What goes
 * wrong with a call is in its slot; only the journal can fail. Interruption stops the running calls and settles all as
 * cancelled.
 */
export const executeCalls = Effect.fnUntraced(function* (
  run: RunContext,
  slots: ReadonlyArray<CallSlot>,
): Effect.fn.Return<void, JournalFailed> {
  const admitted = slots.filter(({ isAdmitted }) => isAdmitted);
  const plan = admitted.length === 1 ? [[]] : planOf(admitted);
  const isParallel = plan.every((earlier) => earlier.length === 0);
  // What is prepared, and waits for others, finds things as these leave them: it has its own intent, when its turn comes.
  const isLate = admitted.map((slot, at) => plan[at]?.length !== 0 && slot.inspected?.prepare !== undefined);
  yield* intend(
    run,
    admitted.filter((_, at) => isLate[at] !== true),
  );
  const [only] = admitted;
  if (only !== undefined && admitted.length === 1) return yield* execute(run, only);
  if (!isParallel) return yield* executeInOrder(run, admitted, plan, isLate);
  yield* Effect.forEach(admitted, (slot) => execute(run, slot), {
    concurrency: run.kernel.maxParallelCalls,
    discard: true,
  });
});

const planOf = (admitted: ReadonlyArray<CallSlot>): ReadonlyArray<ReadonlyArray<number>> =>
  executionPlan(
    admitted.map(({ decision, proposed }) => ({
      risk: decision?.risk ?? "remote-write",
      resources: decision?.resources ?? proposed?.resources ?? [],
    })),
  );

// A call that waits holds one of the places, but what it waits for started before it: no two wait for each other.
const executeInOrder = Effect.fnUntraced(function* (
  run: RunContext,
  admitted: ReadonlyArray<CallSlot>,
  plan: ReadonlyArray<ReadonlyArray<number>>,
  isLate: ReadonlyArray<boolean>,
): Effect.fn.Return<void, JournalFailed> {
  const finished = yield* Effect.forEach(admitted, () => Deferred.make<void>());
  if (isLate.includes(true)) for (const slot of admitted) slot.isAwaited = true;
  yield* Effect.forEach(
    admitted,
    (slot, index) => {
      const before = (plan[index] ?? []).flatMap((at) => finished[at] ?? []);
      const after = finished[index];
      const waited = Effect.forEach(before, Deferred.await, { discard: true });
      const ready = isLate[index] === true ? Effect.andThen(waited, intend(run, [slot])) : waited;
      return Effect.ensuring(
        Effect.andThen(ready, execute(run, slot)),
        after === undefined ? Effect.void : Deferred.succeed(after, undefined),
      );
    },
    { concurrency: run.kernel.maxParallelCalls, discard: true },
  );
});

// The class comes first, so that a model learns to tell what is worth repeating.
const problemOf = (error: unknown): string =>
  error instanceof ToolFailed && error.kind !== "failed"
    ? `${failureClasses[error.kind]} ${messageOf(error)}`
    : messageOf(error);

const failureClasses = {
  validation: "[validation error]",
  transient: "[transient error]",
  refused: "[permission error]",
} as const;

const execute = (run: RunContext, slot: CallSlot): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { admitted, inspected, proposed, tool } = slot;
    // What could not be prepared is over before it began.
    if (slot.isSettled) return Effect.void;
    if (admitted === undefined || inspected === undefined || proposed === undefined || tool === undefined)
      return Effect.die(new TypeError("a call that was never admitted reached execution"));
    if (!isAdmittedCall(admitted)) return Effect.die(new TypeError("an admitted call that admission did not make"));
    const startedAt = run.now();
    run.hub.publish({ type: "tool.start", callId: admitted.id, tool: tool.name, input: admitted.input });
    if (!slot.hasStarted) slot.send(plainEvents.callStarted);
    const end = (event: ToolCallEvent): void => {
      slot.durationMillis = run.now() - startedAt;
      slot.send(event);
      // What it did outside must not be lost to a power failure that its own effect survives.
      if (reachesOut(slot)) run.log.flushNext();
    };
    const settle = (exit: Exit.Exit<ToolOutput, ToolFailed>): void => {
      if (Exit.isSuccess(exit)) {
        slot.output = exit.value;
        run.files.learn(exit.value.files ?? []);
        end(slot.isAwaited ? { type: "call.succeeded", output: exit.value } : plainEvents.callSucceeded);
      } else {
        const problem = problemOf(Cause.squash(exit.cause));
        slot.problem = problem;
        end(slot.isAwaited ? { type: "call.failed", problem } : { type: "call.failed" });
      }
    };
    const cancel = Effect.sync(() => {
      if (slot.isSettled) return;
      slot.problem = "The call was interrupted before it ended. It may have done part of its work: check first.";
      end({ type: "call.cancelled" });
    });
    return Effect.onInterrupt(
      Effect.map(
        Effect.exit(withTimeout(inspected.execute(admitted, toolContext(run, slot, admitted.id)), tool)),
        settle,
      ),
      () => cancel,
    );
  });
