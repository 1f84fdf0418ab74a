import type { AfterVerdict, AuditRecord, SettledCall, ToolResultPart } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import type { CallSlot } from "./CallSlot.ts";
import { effectOf, guarded } from "./guarded.ts";
import type { RunContext } from "./RunContext.ts";
import { resultOf } from "./resultOf.ts";
import { resultReadName } from "./resultRead.ts";
import { shortenResult } from "./shortenResult.ts";
import { unchangedText } from "./ShownResults.ts";
import type { Steering, TurnEvent } from "./turn.machine.ts";

/**
 * Phase 3, serial, in call order: results are made, shaped by `toolCall.after`, audited and remembered. Answers with
 * the message for the context and the gravest verdict.
 */
export const recordCalls = Effect.fnUntraced(function* (
  run: RunContext,
  slots: ReadonlyArray<CallSlot>,
): Effect.fn.Return<TurnEvent> {
  let steering: Steering = { type: "continue" };
  let refusals = 0;
  let kept = run.conversation.keptResults;
  const parts: Array<ToolResultPart> = [];
  for (const slot of slots) {
    if (slot.original?.result !== undefined) shareResult(slot, slot.original.result);
    const executed = slot.context.disposition === "executed";
    const settled: SettledCall = {
      result: resultOf(slot),
      executed,
      ...(slot.proposed === undefined ? {} : { call: slot.proposed }),
    };
    const { result: shaped, verdict } = yield* consult(run, settled);
    const short = shorten(run, shaped, kept + 1);
    if (short !== shaped) kept++;
    const result = refer(run, slot, short);
    slot.result = result;
    parts.push(result);
    steering = graver(steering, verdict);
    if (result.status === "denied") refusals++;
    if (executed) remember(run, slot, short);
    run.hub.publish({
      type: "tool.end",
      callId: slot.part.id,
      tool: slot.part.name,
      result,
      reused: slot.context.disposition === "reused",
    });
    yield* audit(run, slot, result);
  }
  const files = slots.flatMap(({ output }) => output?.files ?? []);
  const misfits = slots.flatMap(({ misfit }) => (misfit === undefined ? [] : [misfit]));
  if (steering.type === "nudge") run.hub.publish({ type: "loop.nudge", text: steering.text });
  return {
    type: "results.recorded",
    message: { role: "tool", parts },
    refusals,
    steering,
    ...(misfits.length === 0 ? {} : { misfits }),
    ...(files.length === 0 ? {} : { files }),
  };
});

const shorten = (run: RunContext, result: ToolResultPart, number: number): ToolResultPart => {
  if (result.name === resultReadName) return result;
  const { result: short, whole } = shortenResult(result, `r${number}`, run.kernel.maxResultCharacters);
  if (whole !== undefined) run.log.blob(whole.digest, whole.bytes);
  return short;
};

// What the model has read already, and has above as it is, is not put there once more.
const refer = (run: RunContext, { part, tool }: CallSlot, result: ToolResultPart): ToolResultPart =>
  tool?.cacheable === true &&
  result.status === "ok" &&
  result.kept === undefined &&
  result.images === undefined &&
  run.conversation.shown.has(part.name, part.input, result.text)
    ? { ...result, text: unchangedText }
    : result;

/**
 * For a run that ended in the middle: every proposed call that has no result yet is settled, shown and audited, so that
 * nothing that ran goes unrecorded.
 */
export const settleRest = Effect.fnUntraced(function* (
  run: RunContext,
  slots: ReadonlyArray<CallSlot>,
): Effect.fn.Return<void> {
  for (const slot of slots) {
    if (slot.result !== undefined) continue;
    const { hasStarted } = slot;
    if (!slot.isSettled) slot.send({ type: "call.cancelled" });
    const result = resultOf(slot);
    slot.result = result;
    const { id: callId, name: tool } = slot.part;
    if (hasStarted) run.hub.publish({ type: "tool.end", callId, tool, result, reused: false });
    yield* audit(run, slot, result);
  }
});

const shareResult = (slot: CallSlot, original: ToolResultPart): void => {
  slot.reused = { ...original, callId: slot.part.id };
  slot.send({ type: "call.reused", status: original.status });
};

/** Asks every `toolCall.after` in order, each about the result the one before shaped. */
const consult = Effect.fnUntraced(function* (
  run: RunContext,
  settled: SettledCall,
): Effect.fn.Return<{ readonly result: ToolResultPart; readonly verdict: Steering }> {
  let { result } = settled;
  let verdict: Steering = { type: "continue" };
  for (const contribution of run.kernel.after) {
    const said: AfterVerdict = yield* guarded(
      run,
      "toolCall.after",
      () =>
        Effect.map(
          effectOf("toolCall.after", () => contribution({ ...settled, result }, run.info())),
          known,
        ),
      () => ({ type: "continue" }) as const,
    );
    // A plugin may shape what is said, not which call it answers or how that ended.
    if (said.result !== undefined)
      result = { ...said.result, callId: result.callId, name: result.name, status: result.status };
    verdict = graver(verdict, said);
  }
  return { result, verdict };
});

const known = (verdict: AfterVerdict): AfterVerdict => {
  if (typeof verdict === "object" && verdict.type in gravity) return verdict;
  throw new TypeError("it gave no verdict that is known (continue, nudge, forceStop)");
};

const gravity = { continue: 0, nudge: 1, forceStop: 2 } as const;

/** The graver of two; of two nudges, both texts. */
const graver = (a: Steering, b: Steering): Steering => {
  if (a.type === "nudge" && b.type === "nudge") return { type: "nudge", text: `${a.text}\n${b.text}` };
  const worst = gravity[b.type] > gravity[a.type] ? b : a;
  if (worst.type === "nudge") return { type: "nudge", text: worst.text };
  return worst.type === "forceStop" ? { type: "forceStop", reason: worst.reason } : { type: "continue" };
};

const remember = (run: RunContext, slot: CallSlot, result: ToolResultPart): void => {
  const { approver, cacheKey, decision, tool } = slot;
  if (decision === undefined) return;
  run.cache.invalidate(decision);
  // What a person allowed was allowed once.
  if (tool?.cacheable === true && cacheKey !== undefined && result.status === "ok" && approver === undefined)
    run.cache.add(cacheKey, result, decision.resources, run.now());
};

const audit = (run: RunContext, slot: CallSlot, { status }: ToolResultPart): Effect.Effect<void> => {
  if (run.kernel.audit.length === 0) return Effect.void;
  const { runId, sessionKey, iteration } = run.info();
  const { approver, decision, durationMillis, part, proposed } = slot;
  const record: AuditRecord = {
    schemaVersion: 1,
    time: run.now(),
    runId,
    sessionKey,
    iteration,
    callId: part.id,
    tool: part.name,
    input: proposed?.input ?? part.input,
    disposition: slot.context.disposition,
    status,
    ...(decision === undefined ? {} : { decision }),
    ...(approver === undefined ? {} : { approver }),
    ...(durationMillis === undefined ? {} : { durationMillis }),
  };
  return Effect.forEach(
    run.kernel.audit,
    (sink) =>
      guarded(
        run,
        "audit",
        () => sink(record),
        () => undefined,
      ),
    {
      discard: true,
    },
  );
};
