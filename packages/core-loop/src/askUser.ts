import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson, type Decision, type ProposedCall } from "@kumiko/plugin-api";
import type { Answer, JournalFailed, Question } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import type { AskingSignals } from "./admitCalls.ts";
import type { CallSlot } from "./CallSlot.ts";
import { guarded } from "./guarded.ts";
import type { RunContext } from "./RunContext.ts";
import type { ToolCallEvent } from "./tool-call.machine.ts";

/** SHA-256 (hex) of a call's name and final input: what an approval is bound to. */
export const inputDigest = ({ name, input }: Pick<ProposedCall, "name" | "input">): string =>
  bytesToHex(sha256(utf8ToBytes(`${name} ${canonicalJson(input)}`)));

/** Puts a call to the user, or refuses it where nobody can be asked. The question is safe before it is shown. */
export const askUser = Effect.fnUntraced(function* (
  run: RunContext,
  slot: CallSlot,
  signals: AskingSignals,
): Effect.fn.Return<ToolCallEvent, JournalFailed> {
  const { proposed, decision } = slot;
  if (proposed === undefined || decision === undefined) throw new TypeError("asked about an undecided call");
  if (!run.kernel.questions.attended) {
    slot.decision = { ...decision, verdict: "deny", reason: `nobody can be asked: ${decision.reason}` };
    slot.problem = `This call needs a person's approval (${decision.reason}) and nobody can be asked, so it did not run. Do not try to get around it: go on without it, or say what you need.`;
    return { type: "user.denied" };
  }
  const { runId, sessionKey } = run.info();
  const question: Question = {
    id: `${runId}/${proposed.id}`,
    runId,
    sessionKey,
    kind: "approval",
    prompt: promptOf(proposed, decision),
    callId: proposed.id,
    tool: proposed.name,
    input: proposed.input,
    inputDigest: inputDigest(proposed),
    decision,
  };
  signals.opened(question.id);
  yield* run.log.commit;
  run.hub.publish({
    type: "approval.start",
    questionId: question.id,
    callId: proposed.id,
    prompt: question.prompt,
    decision,
  });
  const answer = yield* guarded(
    run,
    "questions",
    () => run.kernel.questions.ask(question),
    (detail): Answer => ({ type: "deny", reason: `the question could not be answered: ${detail}` }),
  );
  signals.answered(question.id);
  run.hub.publish({ type: "approval.end", questionId: question.id, callId: proposed.id, answer: answer.type });
  slot.approver = "user";
  if (answer.type === "approve") {
    slot.decision = { ...decision, verdict: "allow", layer: "user", reason: "the user approved it" };
    return { type: "user.approved", inputDigest: question.inputDigest };
  }
  const because = answer.reason === undefined ? "" : `, because: ${answer.reason}`;
  slot.decision = { ...decision, verdict: "deny", layer: "user", reason: `the user refused it${because}` };
  slot.problem = `The user refused this call${because}. It did not run. Do not try to get around it.`;
  return { type: "user.denied" };
});

const promptOf = ({ name, command, resources }: ProposedCall, { reason }: Decision): string => {
  const target = command ?? resources.map(({ key }) => key.replace(/^file:/, "")).join(", ");
  return `${name}${target === "" ? "" : ` ${target}`}: ${reason}`;
};
