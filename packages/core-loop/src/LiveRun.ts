import type { RunOutcome } from "@kumiko/plugin-api";
import { RunRefused, type RunRequest } from "@kumiko/runtime-api";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { RunEventHub } from "./RunEventHub.ts";
import type { TurnActor } from "./runTurn.ts";
import type { SessionEvent } from "./session.machine.ts";
import { userSaid } from "./userSaid.ts";

/** What is known of a run that is not over. */
export interface LiveRun {
  readonly request: RunRequest;
  readonly hub: RunEventHub;
  readonly accepted: Deferred.Deferred<void, RunRefused>;
  readonly ended: Deferred.Deferred<RunOutcome>;
  /** It is a message to another run, and a run of its own only if that one ends before it saw it. */
  isSteering: boolean;
  /** When its message came, in milliseconds since 1970; 0: before this process. */
  acceptedAt: number;
  actor: TurnActor | undefined;
  /** Set when the run was cancelled, even before its actor was there to be told. */
  abortReason: string | undefined;
  outcome: RunOutcome | undefined;
}

export const makeLiveRun = Effect.fnUntraced(function* (options: {
  readonly runId: string;
  readonly sessionKey: string;
  readonly now: () => number;
  readonly request: RunRequest;
}): Effect.fn.Return<LiveRun> {
  const { now, request, runId, sessionKey } = options;
  return {
    request,
    hub: new RunEventHub({ runId, sessionKey, now, observed: request.observed ?? true }),
    accepted: yield* Deferred.make<void, RunRefused>(),
    ended: yield* Deferred.make<RunOutcome>(),
    isSteering: false,
    acceptedAt: now(),
    actor: undefined,
    abortReason: undefined,
    outcome: undefined,
  };
});

/** Puts a message to the session's actor and waits until it is safe, or refused. */
export const accepting =
  (session: {
    readonly live: Map<string, LiveRun>;
    readonly newRun: (runId: string, request: RunRequest) => Effect.Effect<LiveRun>;
    readonly sessionKey: string;
    readonly send: (event: SessionEvent) => boolean;
    readonly onAccept: () => void;
  }) =>
  (
    runId: string,
    request: RunRequest,
    delivery: "steer" | "follow-up",
    beforeSending: (event: SessionEvent) => void = () => {},
  ): Effect.Effect<LiveRun, RunRefused> =>
    Effect.gen(function* () {
      const run = yield* session.newRun(runId, request);
      run.isSteering = delivery === "steer";
      const { instructions, model, profile } = request;
      const event: SessionEvent = {
        type: "message.accepted",
        runId,
        message: userSaid(request),
        ...(delivery === "steer" ? { delivery } : {}),
        ...(instructions === undefined ? {} : { instructions }),
        ...(model === undefined ? {} : { model }),
        ...(profile === undefined ? {} : { profile }),
      };
      session.live.set(runId, run);
      session.onAccept();
      beforeSending(event);
      if (!session.send(event)) {
        session.live.delete(runId);
        return yield* sessionClosed(session.sessionKey);
      }
      yield* Deferred.await(run.accepted);
      return run;
    });

const sessionClosed = (sessionKey: string): RunRefused =>
  new RunRefused({ reason: "closed", sessionKey, detail: `session ${sessionKey} is closed` });

export const tooManyWaiting = (sessionKey: string, most: number): RunRefused =>
  new RunRefused({
    reason: "too-many-waiting",
    sessionKey,
    detail: `session ${sessionKey} has ${most} runs waiting already; wait for one to end`,
  });
