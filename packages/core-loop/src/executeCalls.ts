import { type Tool, type ToolContext, ToolFailed, type ToolOutput } from "@kumiko/plugin-api";
import * as Cause from "effect/Cause";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { isMinted } from "./AdmittedCalls.ts";
import type { CallSlot } from "./CallSlot.ts";
import { executionPlan } from "./executionPlan.ts";
import { guarded, messageOf } from "./guarded.ts";
import type { RunContext } from "./RunContext.ts";
import type { ToolCallEvent } from "./tool-call.machine.ts";

/**
 * Phase 2: runs what was admitted, side by side up to the limit. Calls that may write the same thing run one after
 * another, in order, as planned before the first starts. Never fails: what went wrong is in the slot. Interruption
 * stops the running calls and settles all as cancelled.
 */
export const executeCalls = (run: RunContext, slots: ReadonlyArray<CallSlot>): Effect.Effect<void> => {
  const admitted = slots.filter(({ isAdmitted }) => isAdmitted);
  const [only] = admitted;
  if (only !== undefined && admitted.length === 1) return execute(run, only);
  const plan = executionPlan(
    admitted.map(({ decision, proposed }) => ({
      risk: decision?.risk ?? "remote-write",
      resources: decision?.resources ?? proposed?.resources ?? [],
    })),
  );
  const isParallel = plan.every((earlier) => earlier.length === 0);
  return isParallel
    ? Effect.forEach(admitted, (slot) => execute(run, slot), {
        concurrency: run.kernel.maxParallelCalls,
        discard: true,
      })
    : executeInOrder(run, admitted, plan);
};

// A call that waits holds one of the places, but what it waits for started before it: no two wait for each other.
const executeInOrder = Effect.fnUntraced(function* (
  run: RunContext,
  admitted: ReadonlyArray<CallSlot>,
  plan: ReadonlyArray<ReadonlyArray<number>>,
): Effect.fn.Return<void> {
  const finished = yield* Effect.forEach(admitted, () => Deferred.make<void>());
  yield* Effect.forEach(
    admitted,
    (slot, index) => {
      const before = (plan[index] ?? []).flatMap((at) => finished[at] ?? []);
      const after = finished[index];
      return Effect.ensuring(
        Effect.andThen(Effect.forEach(before, Deferred.await, { discard: true }), execute(run, slot)),
        after === undefined ? Effect.void : Deferred.succeed(after, undefined),
      );
    },
    { concurrency: run.kernel.maxParallelCalls, discard: true },
  );
});

const execute = (run: RunContext, slot: CallSlot): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { admitted, inspected, proposed, tool } = slot;
    if (admitted === undefined || inspected === undefined || proposed === undefined || tool === undefined)
      return Effect.die(new TypeError("a call that was never admitted reached execution"));
    if (!isMinted(admitted)) return Effect.die(new TypeError("an admitted call that admission did not make"));
    const startedAt = run.now();
    run.hub.publish({ type: "tool.start", callId: admitted.id, tool: tool.name, input: admitted.input });
    slot.send({ type: "call.started" });
    const { runId, sessionKey } = run.info();
    const context: ToolContext = {
      callId: admitted.id,
      runId,
      sessionKey,
      cwd: run.kernel.cwd,
      permits: (resource) =>
        Effect.map(
          guarded(
            run,
            "permission gate",
            () => run.kernel.gate.decide({ ...proposed, resources: [resource] }),
            () => undefined,
          ),
          (decision) => decision?.verdict === "allow" || (decision?.verdict === "ask" && slot.approver !== undefined),
        ),
      knownDigest: () => undefined,
      changes: [],
      progress: (text) => {
        if (run.hub.hasReaders) run.hub.publish({ type: "tool.update", callId: admitted.id, text });
      },
    };
    const end = (event: ToolCallEvent): void => {
      slot.durationMillis = run.now() - startedAt;
      slot.send(event);
    };
    const settle = (exit: Exit.Exit<ToolOutput, ToolFailed>): void => {
      if (Exit.isSuccess(exit)) {
        slot.output = exit.value;
        end({ type: "call.succeeded" });
      } else {
        slot.problem = messageOf(Cause.squash(exit.cause));
        end({ type: "call.failed" });
      }
    };
    const cancel = Effect.sync(() => {
      if (slot.isSettled) return;
      slot.problem = "The call was interrupted before it ended. It may have done part of its work: check first.";
      end({ type: "call.cancelled" });
    });
    return Effect.onInterrupt(
      Effect.map(Effect.exit(withTimeout(inspected.execute(admitted, context), tool)), settle),
      () => cancel,
    );
  });

const withTimeout = (
  effect: Effect.Effect<ToolOutput, ToolFailed>,
  { name, timeoutMillis }: Tool,
): Effect.Effect<ToolOutput, ToolFailed> =>
  Effect.timeoutOrElse(effect, {
    duration: timeoutMillis,
    orElse: () =>
      Effect.fail(
        new ToolFailed({
          kind: "transient",
          detail: `${name} was stopped after ${timeoutMillis} ms.`,
          hint: "It may have done part of its work: check first.",
        }),
      ),
  });
