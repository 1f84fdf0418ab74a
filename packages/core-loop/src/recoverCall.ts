import type { Decision, Recovered, Recovery } from "@kumiko/plugin-api";
import type { JournalFailed } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import type { AskingSignals } from "./admitCalls.ts";
import { answerTo, questionOf } from "./askUser.ts";
import type { CallSlot } from "./CallSlot.ts";
import { guarded } from "./guarded.ts";
import type { RunContext } from "./RunContext.ts";
import type { ToolCallEvent } from "./tool-call.machine.ts";
import { toolContext } from "./toolContext.ts";

/**
 * What becomes of a call that was running when its process died, by its tool's declaration: it may run (again), what came
 * of it is found out, or its outcome is reported as unknown. Where that outcome could not be taken back, a person is
 * asked whether to go on.
 */
export const recoverCall = Effect.fnUntraced(function* (
  run: RunContext,
  slot: CallSlot,
  signals: AskingSignals,
): Effect.fn.Return<ToolCallEvent, JournalFailed> {
  const { inspected, proposed } = slot;
  if (inspected === undefined || proposed === undefined) {
    slot.problem = unknownText("its tool is not there any more, or takes other arguments");
    return { type: "call.outcomeUnknown" };
  }
  // What the tool says now does not loosen what it said when the call ran.
  const now = inspected.recovery ?? (inspected.risk === "read" ? "rerun" : "ask");
  const recovery = stricter(now, slot.earlier?.recovery ?? now);
  if (recovery === "rerun") return { type: "call.notDone" };
  // For the record, and for its risk: it was admitted before, and is not admitted by this.
  const decision = yield* guarded(
    run,
    "permission gate",
    () => run.kernel.gate.decide(proposed),
    () => undefined,
  );
  slot.decision = decision;
  const found: Recovered =
    recovery === "lookup" && inspected.lookup !== undefined
      ? yield* Effect.timeoutOrElse(
          inspected.lookup(slot.earlier?.changes ?? [], toolContext(run, slot, proposed.id)),
          {
            duration: slot.tool?.timeoutMillis ?? 0,
            orElse: () => Effect.succeed({ type: "unknown", detail: "looking it up took too long" } as const),
          },
        )
      : { type: "unknown", detail: "its output is lost" };
  if (found.type === "notDone") return { type: "call.notDone" };
  if (found.type === "done") {
    slot.output = found.output;
    run.files.learn(found.output.files ?? []);
    return { type: "call.succeeded" };
  }
  slot.problem = unknownText(found.detail);
  if (decision?.risk === "irreversible") yield* confirm(run, slot, decision, signals);
  return { type: "call.outcomeUnknown" };
});

const strictness: ReadonlyArray<Recovery> = ["rerun", "lookup", "ask"];
const stricter = (a: Recovery, b: Recovery): Recovery => (strictness.indexOf(a) >= strictness.indexOf(b) ? a : b);

const unknownText = (detail: string): string =>
  `The process that ran this call died before it was known how it ended: it may have run as a whole, in part, or not at all (${detail}). It was not run again. Check what is there before you do anything like it again.`;

const confirm = Effect.fnUntraced(function* (
  run: RunContext,
  { proposed }: CallSlot,
  decision: Decision,
  signals: AskingSignals,
): Effect.fn.Return<void, JournalFailed> {
  if (proposed === undefined) return;
  const answer = yield* answerTo(run, questionOf(run, proposed, decision, "unknown-outcome"), signals);
  if (answer?.type === "deny")
    signals.abort(answer.reason ?? "the user ended it, since a call may or may not have taken effect");
});
