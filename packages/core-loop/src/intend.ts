import type { FileChange, Json, Recovery, SavedChange } from "@kumiko/plugin-api";
import type { JournalFailed } from "@kumiko/runtime-api";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { CallSlot } from "./CallSlot.ts";
import { messageOf } from "./guarded.ts";
import type { RunContext } from "./RunContext.ts";
import { withTimeout } from "./withTimeout.ts";
import { toolContext } from "./toolContext.ts";
import { plainEvents } from "./plainEvents.ts";

/**
 * Makes safe what is about to happen: the reply, what was decided about its calls, and for each call that may change
 * something the intent to run it, with what its tool needs to find out later whether it did. One commit. A call that
 * cannot be prepared fails here, before any effect.
 */
export const intend = Effect.fnUntraced(function* (
  run: RunContext,
  slots: ReadonlyArray<CallSlot>,
): Effect.fn.Return<void, JournalFailed> {
  for (const slot of slots) {
    if (isRead(slot)) continue;
    const prepared = yield* Effect.exit(prepare(run, slot));
    if (Exit.isSuccess(prepared)) {
      const changes = prepared.value;
      slot.changes = changes;
      for (const { before, beforeBytes } of changes)
        if (before !== null && beforeBytes !== undefined) run.log.blob(before.digest, beforeBytes);
      slot.send({ type: "call.started", changes: changes.map(saved), ...asItRan(slot) });
      if (reachesOut(slot)) run.log.flushNext();
    } else if (Cause.hasInterruptsOnly(prepared.cause)) return yield* Effect.interrupt;
    else {
      const problem = messageOf(Cause.squash(prepared.cause));
      slot.problem = problem;
      slot.send(plainEvents.callStarted);
      slot.send({ type: "call.failed", problem });
    }
  }
  yield* run.log.commit;
});

const asItRan = ({
  context,
  inspected,
  proposed,
}: CallSlot): { readonly input?: Json; readonly recovery?: Recovery } => ({
  ...(context.rewrites > 0 && proposed !== undefined ? { input: proposed.input } : {}),
  ...(inspected?.recovery === undefined ? {} : { recovery: inspected.recovery }),
});

const prepare = (run: RunContext, slot: CallSlot): Effect.Effect<ReadonlyArray<FileChange>, unknown> =>
  slot.inspected?.prepare === undefined || slot.tool === undefined
    ? Effect.succeed([])
    : withTimeout(slot.inspected.prepare(toolContext(run, slot, slot.part.id)), slot.tool);

const isRead = ({ decision, inspected }: CallSlot): boolean => decision?.risk === "read" && inspected?.risk === "read";

/** Whether a call may change something outside of this machine, or for good. */
export const reachesOut = ({ decision }: CallSlot): boolean =>
  decision?.risk === "remote-write" || decision?.risk === "irreversible";

const saved = ({ after, before, beforeBytes, path }: FileChange): SavedChange => ({
  path,
  before,
  isKept: beforeBytes !== undefined,
  after,
});
