import {
  type AdmissionVerdict,
  canonicalJson,
  type Decision,
  frozenCopy,
  isTooDeep,
  type Json,
  type ProposedCall,
  type ToolCallPart,
} from "@kumiko/plugin-api";
import { mintAdmittedCall } from "@kumiko/plugin-api/admission";
import type { JournalFailed } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { askUser, inputDigest } from "./askUser.ts";
import { CallSlot } from "./CallSlot.ts";
import { guarded } from "./guarded.ts";
import { recoverCall } from "./recoverCall.ts";
import type { RunContext } from "./RunContext.ts";
import type { ToolCallEvent, ToolCallIntent } from "./tool-call.machine.ts";
import { plainEvents } from "./plainEvents.ts";

/** What admission tells the turn on its way. */
export interface AskingSignals {
  /** The user wants the run to end. */
  readonly abort: (reason: string) => void;
  readonly opened: (questionId: string) => void;
  readonly answered: (questionId: string) => void;
}

/**
 * Phase 1, serial, in the model's order. Afterwards each slot is admitted, settled, or a duplicate that waits for its
 * original. Slots are added to `slots` as they are looked at.
 */
export const admitCalls = Effect.fnUntraced(function* (
  run: RunContext,
  parts: ReadonlyArray<ToolCallPart>,
  signals: AskingSignals,
  slots: Array<CallSlot>,
): Effect.fn.Return<void, JournalFailed> {
  const byKey = new Map<string, CallSlot>();
  let writesBefore = false;
  for (const part of parts) {
    const slot = new CallSlot(part, run.log, run.earlierCalls.get(part.id));
    slots.push(slot);
    const key = isTooDeep(part.input) ? part.id : `${part.name} ${canonicalJson(part.input)}`;
    if (slot.isSettled) {
      run.files.learn(slot.output?.files ?? []);
      if (isWriting(run, slot)) {
        writesBefore = true;
        byKey.clear();
      }
      byKey.set(key, slot);
      continue;
    }
    slot.original = part.malformed === undefined ? byKey.get(key) : undefined;
    if (slot.original !== undefined) continue;
    slot.mayReuse = !writesBefore;
    let intents = slot.firstIntents;
    while (intents.length > 0) {
      const [intent] = intents;
      const event = intent === undefined ? undefined : yield* perform(run, slot, intent, signals);
      intents = event === undefined ? [] : slot.send(event);
    }
    // Once something in this reply may change things, an equal call after it is not the same call, and results from
    // before it say nothing.
    if ((slot.isAdmitted || slot.hasStarted) && slot.decision?.risk !== "read") {
      writesBefore = true;
      byKey.clear();
    }
    byKey.set(key, slot);
  }
  // They are about this reply's calls; a later one may use an id again.
  run.earlierCalls.clear();
});

const perform = (
  run: RunContext,
  slot: CallSlot,
  intent: ToolCallIntent,
  signals: AskingSignals,
): Effect.Effect<ToolCallEvent | undefined, JournalFailed> => {
  switch (intent.type) {
    case "intent.inspectCall":
      return Effect.succeed(inspect(run, slot));
    case "intent.applyRules":
      return applyRules(run, slot);
    case "intent.consultPlugins":
      return consultPlugins(run, slot);
    case "intent.askUser":
      return askUser(run, slot, signals);
    case "intent.admitCall":
      return Effect.sync(() => {
        const { proposed, decision } = slot;
        if (proposed === undefined || decision === undefined) throw new TypeError("admitted without a decision");
        if (intent.approvedDigest !== null && intent.approvedDigest !== inputDigest(proposed))
          throw new TypeError("the user approved another input than the one about to run");
        slot.admitted = mintAdmittedCall({ id: proposed.id, name: proposed.name, input: proposed.input, decision });
        return undefined;
      });
    case "intent.recoverCall":
      return recoverCall(run, slot, signals);
    case "intent.executeCall":
      return Effect.succeed(undefined);
  }
};

const inspect = (run: RunContext, slot: CallSlot): ToolCallEvent => {
  const { id, name, input, malformed } = slot.part;
  const reject = (problem: string, mistake = problem): ToolCallEvent => {
    slot.problem = problem;
    slot.misfit = `${name}: ${mistake.slice(0, maxMistake)}`;
    return { type: "call.rejected" };
  };
  const tool = run.kernel.tools.get(name);
  const wasOpen = slot.earlier?.hasStarted === true;
  // What cannot be looked at any more may have run all the same: it must not be taken for a call that never began.
  if (wasOpen) {
    if (tool !== undefined) propose(run, withTool(slot, tool), { id, input: slot.earlier?.input ?? input });
    return { type: "call.foundOpen" };
  }
  if (tool === undefined) return reject(unknownTool(name, [...run.kernel.tools.keys()]));
  slot.tool = tool;
  if (malformed !== undefined)
    return reject(
      `The arguments are not a complete JSON object: ${excerpt(malformed)} Send valid JSON and try again; if they were cut for their length, send less at once.`,
      "the arguments are not a complete JSON object",
    );
  const problem = propose(run, slot, { id, input });
  if (problem !== undefined) return reject(problem);
  if (!tool.cacheable) return plainEvents.callAccepted;
  slot.cacheKey = `${name} ${canonicalJson(input)}`;
  const cached = slot.mayReuse ? run.cache.get(slot.cacheKey, run.now()) : undefined;
  if (cached === undefined) return plainEvents.callAccepted;
  slot.reused = { ...cached, callId: id };
  return { type: "call.reused", status: cached.status };
};

/** Characters by which two mistakes are compared. */
const maxMistake = 200;

const withTool = (slot: CallSlot, tool: CallSlot["tool"]): CallSlot => {
  slot.tool = tool;
  return slot;
};

// A call that an earlier process ran: what it was is known from its arguments.
const isWriting = (run: RunContext, slot: CallSlot): boolean => {
  slot.tool = run.kernel.tools.get(slot.part.name);
  propose(run, slot, { id: slot.part.id, input: slot.earlier?.input ?? slot.part.input });
  return slot.inspected?.risk !== "read";
};

/** Fits the arguments to the tool and notes what the call would do; answers with what is wrong, if anything is. */
const propose = (
  run: RunContext,
  slot: CallSlot,
  { id, input: given }: { readonly id: string; readonly input: Json },
): string | undefined => {
  const { tool } = slot;
  if (tool === undefined) return "there is no such tool";
  if (isTooDeep(given)) return "The arguments are nested too deep. Send flatter ones.";
  // Our own and frozen: what rules and people were shown is what will run, whatever others do with what they were given.
  const input = frozenCopy(given);
  const { cwd } = run.kernel;
  let inspected;
  try {
    inspected = tool.inspect(input, cwd);
  } catch (error) {
    return `${tool.name} could not look at its arguments: ${String(error)}`;
  }
  if (Result.isFailure(inspected)) return `${inspected.failure.message} Correct the arguments and try again.`;
  const { risk, resources, command } = inspected.success;
  slot.inspected = inspected.success;
  slot.proposed = Object.freeze({
    id,
    name: tool.name,
    input,
    risk,
    resources: Object.freeze(resources.map(({ key, mode }) => Object.freeze({ key, mode }))),
    cwd,
    ...(command === undefined ? {} : { command }),
  });
  return undefined;
};

const applyRules = Effect.fnUntraced(function* (run: RunContext, slot: CallSlot): Effect.fn.Return<ToolCallEvent> {
  const { proposed } = slot;
  if (proposed === undefined) throw new TypeError("rules applied to a call that was never inspected");
  // A gate that fails allows nothing.
  const decision = yield* guarded(
    run,
    "permission gate",
    () => run.kernel.gate.decide(proposed),
    (detail) => refusalOf(proposed, `the permission gate failed: ${detail}`),
  );
  slot.decision = decision;
  if (decision.verdict === "allow") return plainEvents.rulesAllowed;
  if (decision.verdict === "ask") return { type: "rules.asked" };
  slot.problem = refusedText(decision);
  return { type: "rules.refused" };
});

const consultPlugins = Effect.fnUntraced(function* (run: RunContext, slot: CallSlot): Effect.fn.Return<ToolCallEvent> {
  const { proposed, decision } = slot;
  if (proposed === undefined || decision === undefined) throw new TypeError("plugins asked about an undecided call");
  let reasonToAsk: string | undefined;
  for (const contribution of run.kernel.admit) {
    const verdict: AdmissionVerdict = yield* guarded(
      run,
      "toolCall.admit",
      () => contribution(proposed, decision, run.info()),
      (detail) => ({ type: "block", reason: `a plugin that checks calls failed: ${detail}` }) as const,
    );
    const said = knownVerdict(verdict);
    if (said === undefined) return block(slot, "a plugin gave no verdict that is known (pass, rewrite, ask, block)");
    if (said.type === "block") return block(slot, said.reason);
    if (said.type === "ask") reasonToAsk ??= said.reason;
    else if (said.type === "rewrite" && canonicalJson(said.input) !== canonicalJson(proposed.input)) {
      if (slot.context.rewrites > 0) return block(slot, "a plugin rewrote it a second time");
      const problem = propose(run, slot, { id: proposed.id, input: said.input });
      if (problem !== undefined) return block(slot, `a plugin rewrote it to arguments that do not fit: ${problem}`);
      slot.cacheKey = undefined;
      return { type: "plugins.rewrote" };
    }
  }
  if (reasonToAsk === undefined) return plainEvents.pluginsPassed;
  if (decision.verdict === "allow") slot.decision = { ...decision, verdict: "ask", reason: reasonToAsk };
  return { type: "plugins.asked" };
});

const verdicts: ReadonlySet<unknown> = new Set(["pass", "rewrite", "ask", "block"]);

// Types may have been cast away: a verdict nobody knows, `deny` say, must not pass for consent.
const knownVerdict = (verdict: AdmissionVerdict | undefined): AdmissionVerdict | undefined =>
  typeof verdict === "object" && verdicts.has(verdict.type) ? verdict : undefined;

const block = (slot: CallSlot, reason: string): ToolCallEvent => {
  slot.problem = `This call was blocked and did not run: ${reason}. Do not try to get around it.`;
  return { type: "plugins.blocked" };
};

const refusalOf = ({ risk, resources }: ProposedCall, reason: string): Decision => ({
  verdict: "deny",
  layer: "default",
  reason,
  risk,
  resources,
  effects: [],
});

const refusedText = ({ verdict, layer, rule, part, reason }: Decision): string =>
  `This call was refused and did not run (${verdict === layer ? verdict : `${verdict}, ${layer}`}${rule === undefined ? "" : `, rule ${JSON.stringify(rule)}`}${
    part === undefined ? "" : `, because of ${JSON.stringify(part)}`
  }): ${reason}. Do not try to get around it: go on without it, or say what you need.`;

const unknownTool = (name: string, known: ReadonlyArray<string>): string =>
  `There is no tool ${JSON.stringify(name)}. ${
    known.length === 0 ? "There are no tools: answer in text." : `The tools are: ${known.join(", ")}.`
  }`;

const excerpt = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
