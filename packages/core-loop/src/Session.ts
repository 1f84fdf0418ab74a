import { MachineKit, type MachineActor } from "@kumiko/machine-kit";
import { type RunOutcome, textOf } from "@kumiko/plugin-api";
import type { Inbox, Journal, JournalFailed, RunHandle, RunRefused, RunRequest } from "@kumiko/runtime-api";
import * as Cause from "effect/Cause";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type * as Scope from "effect/Scope";
import { bounded } from "./bounded.ts";
import { Conversation } from "./Conversation.ts";
import { withReport } from "./closingReport.ts";
import { guarded, messageOf } from "./guarded.ts";
import type { Kernel } from "./Kernel.ts";
import { KnownFiles } from "./KnownFiles.ts";
import { accepting, type LiveRun, makeLiveRun, tooManyWaiting } from "./LiveRun.ts";
import { abortPosted, readInbox } from "./readInbox.ts";
import { intentsLeft, replaySession, unfinishedTurn } from "./replaySession.ts";
import { closed, emptyOutcome, overtime, suspendedOutcome } from "./sessionOutcomes.ts";
import { ResultCache } from "./ResultCache.ts";
import type { RunContext } from "./RunContext.ts";
import { runContextOf } from "./runContextOf.ts";
import { announceLastFailure, outcomeOf, outcomeOfFailure, startTurn } from "./runTurn.ts";
import { type SessionContext, type SessionEvent, type SessionIntent, sessionMachine } from "./session.machine.ts";
import { SessionLog } from "./SessionLog.ts";
import { checkImages } from "./userSaid.ts";

/** A session's actor: its runs follow one another and share conversation, cache and journal stream. */
export interface Session {
  readonly start: (runId: string, request: RunRequest) => Effect.Effect<RunHandle, RunRefused>;
  /** The runs that are not over, the running one first. */
  readonly unfinished: Effect.Effect<ReadonlyArray<RunHandle>>;
  /** Whether it has nothing to do, and since when: what it holds may be closed. */
  readonly idleSince: () => number | undefined;
  /**
   * Waits until its actor is over (it broke, its journal did, or it was suspended), and tells whoever waits for a run. To
   * be run once, by whoever opened the session; a new one has to be opened then.
   */
  readonly isOver: Effect.Effect<void>;
}

/** How long `run.end` and the audit of an aborted run may take. Symptom when it binds: what they did last is missing. */
const endPatienceMillis = 5_000;

/** Opens a session in the current scope, going on with what it left unfinished. Closing the scope ends what runs. */
export const openSession = Effect.fnUntraced(function* (
  kernel: Kernel,
  journal: Journal["Service"],
  inbox: Inbox["Service"] | undefined,
  sessionKey: string,
  /** For one that is suspended: nobody finds it any more; it is closed. */
  { close, forget }: { readonly forget: Effect.Effect<void>; readonly close: Effect.Effect<void> },
): Effect.fn.Return<Session, JournalFailed, Scope.Scope> {
  const writer = yield* journal.open(sessionKey);
  const isNew = (yield* writer.head) === 0;
  // Let go once the actor has it: an idle session holds as little as it can.
  let past = isNew ? undefined : replaySession(yield* journal.read(sessionKey), kernel.maxWaitingRuns);
  const log = new SessionLog(writer);
  const clock = yield* Effect.clockWith(Effect.succeed);
  const now = (): number => clock.currentTimeMillisUnsafe();
  const conversation = past?.conversation ?? new Conversation();
  const files = past?.files ?? new KnownFiles();
  let unfinished = past === undefined ? undefined : unfinishedTurn(past);
  const cache = new ResultCache();
  kernel.keptResults.opened(sessionKey, conversation);
  const live = new Map<string, LiveRun>();
  let idleSince: number | undefined = now();
  let repair = writer.repair;
  let actor: MachineActor<typeof sessionMachine, JournalFailed> | undefined;
  const contextNow = (): SessionContext | undefined => (actor?.snapshot() ?? past?.snapshot)?.context;
  if (kernel.isDurable) log.event("about", { type: "session.opened", cwd: kernel.cwd, model: kernel.model.id });

  const newRun = (runId: string, request: RunRequest): Effect.Effect<LiveRun> =>
    makeLiveRun({ runId, sessionKey, now, request });

  // Runs a turn to its end. Whatever breaks or interrupts it, there is an outcome, its calls are audited and `run.end`
  // is told; neither can hold the session up for longer than a few seconds. A suspended run has no end yet.
  const runToEnd = (runId: string, run: LiveRun): Effect.Effect<SessionEvent | void> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const suspension = yield* Deferred.make<string>();
        const resumed = unfinished?.runId === runId ? unfinished : undefined;
        unfinished = undefined;
        const context = runContextOf({
          kernel,
          run,
          runId,
          sessionKey,
          log,
          conversation,
          cache,
          files,
          earlierCalls: resumed?.calls ?? new Map(),
          now,
          suspension,
        });
        const before = conversation.messages.length;
        const { cwd } = kernel;
        const [model = kernel.model] = context.models;
        run.hub.publish({
          type: "lifecycle.start",
          model: model.id,
          isRehearsal: model.isRehearsal ?? false,
          cwd,
          ...(resumed === undefined ? {} : { isResumed: true }),
          ...(repair === undefined ? {} : { repair }),
        });
        repair = undefined;
        let settle = Effect.void;
        const turn = Effect.gen(function* () {
          const { actor, settleRest } = yield* startTurn(
            context,
            resumed === undefined
              ? undefined
              : {
                  events: resumed.turn,
                  began: resumed.began,
                  isPaused: contextNow()?.isPaused ?? false,
                  abortReason: run.abortReason,
                },
          );
          settle = settleRest;
          run.actor = actor;
          const { isPaused = false, steering = [] } = contextNow() ?? {};
          for (const messageId of steering)
            if (conversation.message(messageId) !== undefined) actor.send({ type: "message.steered", messageId });
          if (isPaused && resumed === undefined) actor.send({ type: "run.paused" });
          if (run.abortReason !== undefined) actor.send({ type: "run.aborted", reason: run.abortReason });
          yield* Effect.forkScoped(
            Effect.delay(
              Effect.sync(() => actor.send({ type: "run.aborted", reason: overtime(kernel.runTimeoutMillis) })),
              kernel.runTimeoutMillis,
            ),
          );
          const end = Effect.map(actor.done, (ended) => ({ ended }));
          return yield* kernel.unattended === "suspend"
            ? Effect.raceFirst(
                end,
                Effect.map(Deferred.await(suspension), (suspended) => ({ suspended })),
              )
            : end;
        });
        const exit = yield* Effect.exit(restore(Effect.scoped(turn)));
        if (Exit.isSuccess(exit) && "suspended" in exit.value) return yield* suspendAll(exit.value.suspended);
        // Closed while it ran: where sessions are kept, that is no end.
        if (kernel.isDurable && Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) {
          run.outcome = suspendedOutcome(run, closed);
          return yield* bounded(settle, endPatienceMillis);
        }
        if (Exit.isSuccess(exit) && "ended" in exit.value) announceLastFailure(context, exit.value.ended);
        const ending =
          Exit.isSuccess(exit) && "ended" in exit.value
            ? outcomeOf(exit.value.ended)
            : outcomeOfFailure(run.actor?.snapshot(), Exit.isFailure(exit) ? exit.cause : Cause.empty);
        const outcome = withReport(ending, conversation.messages.slice(before));
        run.outcome = outcome;
        yield* bounded(settle, endPatienceMillis);
        if (kernel.runEnd.length > 0) yield* bounded(tellEnd(context, outcome), endPatienceMillis);
        const seen = (contextNow()?.steering ?? []).filter(
          (messageId) => conversation.message(messageId) === undefined,
        );
        const ended = { type: "run.ended", runId, status: outcome.status } as const;
        return seen.length === 0 ? ended : { ...ended, seen };
      }),
    );

  // The session is saved as it is, and closed: whoever opens it again finds the run waiting, and those behind it.
  const suspendAll = Effect.fnUntraced(function* (reason: string): Effect.fn.Return<void> {
    yield* forget;
    for (const [id, run] of live) yield* finish(id, suspendedOutcome(run, reason));
    yield* Effect.forkDetach(close);
  });

  const tellEnd = (context: RunContext, outcome: RunOutcome): Effect.Effect<void> =>
    Effect.forEach(
      kernel.runEnd,
      (contribution) =>
        guarded(
          context,
          "run.end",
          () => contribution(outcome, context.info()),
          () => undefined,
        ),
      { discard: true },
    );

  const finish = (runId: string, outcome: RunOutcome): Effect.Effect<void> =>
    Effect.suspend(() => {
      const run = live.get(runId);
      if (run === undefined) return Effect.void;
      live.delete(runId);
      if (live.size === 0) idleSince = now();
      run.hub.publish({ type: outcome.status === "failed" ? "lifecycle.error" : "lifecycle.end", outcome });
      run.hub.end();
      return Effect.andThen(Deferred.succeed(run.accepted, undefined), Deferred.succeed(run.ended, outcome));
    });

  // The run that saw a steering message has it; the message needs no run of its own any more.
  const dropSeen = (): Effect.Effect<void> =>
    Effect.forEach(
      [...live].filter(([id, run]) => run.isSteering && conversation.message(id) === undefined),
      ([id]) => finish(id, emptyOutcome("done", "the run under way has it")),
      { discard: true },
    );

  const perform = (intent: SessionIntent): Effect.Effect<SessionEvent | void> => {
    const run = live.get(intent.runId);
    if (run === undefined) return Effect.void;
    switch (intent.type) {
      case "intent.acknowledge":
        return Effect.asVoid(Deferred.succeed(run.accepted, undefined));
      case "intent.startRun":
        run.isSteering = false;
        return runToEnd(intent.runId, run);
      case "intent.announceEnd":
        return Effect.andThen(
          finish(intent.runId, run.outcome ?? emptyOutcome("aborted", "it never began")),
          dropSeen(),
        );
      case "intent.abortRun":
        return Effect.sync(() => {
          run.abortReason = intent.reason;
          run.actor?.send({ type: "run.aborted", reason: intent.reason });
        });
      case "intent.dropRun":
        conversation.forget(intent.runId);
        return finish(intent.runId, emptyOutcome("aborted", intent.reason));
      case "intent.refuseRun":
        live.delete(intent.runId);
        conversation.forget(intent.runId);
        run.hub.end();
        return Effect.asVoid(Deferred.fail(run.accepted, tooManyWaiting(sessionKey, kernel.maxWaitingRuns)));
      case "intent.steerRun":
        return Effect.sync(() => void run.actor?.send({ type: "message.steered", messageId: intent.messageId }));
      case "intent.pauseRun":
        return Effect.sync(() => void run.actor?.send({ type: "run.paused" }));
      case "intent.unpauseRun":
        return Effect.sync(() => void run.actor?.send({ type: "run.unpaused" }));
    }
  };

  // What is missing may have had effects that nobody knows of: to go on would be to do them again.
  const lost =
    writer.repair === undefined || unfinished === undefined ? undefined : `its record was damaged: ${writer.repair}`;

  // Those an earlier process left: they are here before the actor, which goes on with the first of them.
  const left = past?.snapshot.context;
  for (const runId of [
    ...(left?.running == null ? [] : [left.running]),
    ...(left?.waiting ?? []),
    ...(left?.steering ?? []),
  ]) {
    const message = conversation.message(runId);
    const input = message === undefined ? "" : textOf(message);
    const run = yield* newRun(runId, { ...past?.wishes.get(runId), sessionKey, input });
    run.isSteering = left?.steering.includes(runId) ?? false;
    run.acceptedAt = 0;
    if (runId === left?.running)
      run.abortReason = left.abortReason ?? (yield* abortPosted(inbox, sessionKey, log)) ?? lost;
    live.set(runId, run);
    idleSince = undefined;
  }

  const tickets = inbox === undefined ? undefined : new Map<SessionEvent, number>();
  const messageTickets = inbox === undefined ? undefined : new Map<string, number>();
  const session = (actor = yield* MachineKit.run(sessionMachine, {
    input: { maxWaiting: kernel.maxWaitingRuns },
    perform,
    ...(past === undefined ? {} : { from: { snapshot: past.snapshot, intents: intentsLeft(past) } }),
    log: {
      event: (event) => {
        log.event("session", event);
        const ticket = tickets?.get(event);
        if (ticket !== undefined) log.take(ticket);
        tickets?.delete(event);
        conversation.applySession(event);
      },
      intent: (intent) => {
        log.intent("session", intent);
        // A message that found no room stays in line.
        const ticket = intent.type === "intent.acknowledge" ? messageTickets?.get(intent.runId) : undefined;
        if (ticket !== undefined) log.take(ticket);
        messageTickets?.delete(intent.runId);
      },
      // Boundaries: a message is safe before it is acknowledged, an end before it is announced.
      commitsBefore: ({ type }) =>
        type === "intent.acknowledge" || type === "intent.announceEnd" || type === "intent.dropRun",
      commit: (intent) => (intent?.type === "intent.announceEnd" ? log.commitEnd(intent.runId) : log.commitSession),
    },
  }));

  // The actor ends with its scope, or when the journal fails: whoever waits is told.
  const finishAll = (outcomeFor: (run: LiveRun) => RunOutcome): Effect.Effect<void> =>
    Effect.forEach([...live], ([runId, run]) => finish(runId, outcomeFor(run)), { discard: true });
  // An end that is not written down is none, where what is written down counts.
  const closedOutcome = (run: LiveRun): RunOutcome =>
    kernel.isDurable ? suspendedOutcome(run, closed) : (run.outcome ?? emptyOutcome("aborted", closed));
  yield* Effect.addFinalizer(() => {
    kernel.keptResults.closed(sessionKey);
    return finishAll(closedOutcome);
  });
  past = undefined;
  const isOver = Effect.asVoid(session.done).pipe(
    Effect.onError((cause) =>
      finishAll((run) =>
        Cause.hasInterruptsOnly(cause)
          ? closedOutcome(run)
          : // No end was written: whoever opens the session again goes on with it.
            kernel.isDurable
            ? suspendedOutcome(run, messageOf(Cause.squash(cause)))
            : outcomeOfFailure(undefined, cause),
      ),
    ),
    Effect.ignore,
  );

  const accept = accepting({ live, newRun, sessionKey, send: session.send, onAccept: () => (idleSince = undefined) });
  const cancel = (runId: string, reason: string): Effect.Effect<void> =>
    Effect.sync(() => void session.send({ type: "run.cancelled", runId, reason }));
  let steered = 0;
  const handleOf = (runId: string, run: LiveRun): RunHandle => ({
    runId,
    events: run.hub.events,
    wait: Deferred.await(run.ended),
    cancel: (reason) => cancel(runId, reason),
    steer: (text, images = []) => {
      const said = { sessionKey, input: text, images, observed: false };
      return Effect.andThen(
        checkImages(said),
        Effect.suspend(() => Effect.asVoid(accept(`${runId}+${now().toString(36)}.${++steered}`, said, "steer"))),
      );
    },
  });

  if (inbox !== undefined)
    yield* Effect.forkScoped(
      readInbox({
        inbox,
        sessionKey,
        accept: (runId, request, delivery, ticket) =>
          accept(runId, request, delivery, () => messageTickets?.set(runId, ticket)),
        command: (event, ticket) => {
          tickets?.set(event, ticket);
          return session.send(event);
        },
        running: () => {
          const runId = contextNow()?.running ?? null;
          return runId === null ? undefined : { runId, acceptedAt: live.get(runId)?.acceptedAt ?? 0 };
        },
        take: (ticket) =>
          Effect.andThen(
            Effect.sync(() => log.take(ticket)),
            log.commitSession,
          ),
      }),
    );

  const start = (runId: string, request: RunRequest): Effect.Effect<RunHandle, RunRefused> =>
    Effect.map(
      // Whoever is interrupted here never gets the handle, so nobody else could end the run.
      Effect.onInterrupt(accept(runId, request, "follow-up"), () => cancel(runId, "nobody waits for it any more")),
      (run) => handleOf(runId, run),
    );
  return {
    start,
    unfinished: Effect.sync(() => [...live].flatMap(([runId, run]) => (run.isSteering ? [] : [handleOf(runId, run)]))),
    idleSince: () => (live.size === 0 ? idleSince : undefined),
    isOver,
  };
});
