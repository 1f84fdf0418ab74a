import type { ToolContext } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import type { CallSlot } from "./CallSlot.ts";
import { guarded } from "./guarded.ts";
import type { RunContext } from "./RunContext.ts";

/** What a call's tool may know and do. */
export const toolContext = (run: RunContext, slot: CallSlot, callId: string): ToolContext => {
  const { runId, sessionKey } = run.info();
  return {
    callId,
    runId,
    sessionKey,
    cwd: run.kernel.cwd,
    knownDigest: (path) => run.files.get(path),
    changes: slot.changes,
    permits: (resource) => {
      const { proposed } = slot;
      if (proposed === undefined) return Effect.succeed(false);
      return Effect.map(
        guarded(
          run,
          "permission gate",
          () => run.kernel.gate.decide({ ...proposed, resources: [resource] }),
          () => undefined,
        ),
        (decision) => decision?.verdict === "allow" || (decision?.verdict === "ask" && slot.approver !== undefined),
      );
    },
    progress: (text) => {
      if (run.hub.hasReaders) run.hub.publish({ type: "tool.update", callId, text });
    },
  };
};
