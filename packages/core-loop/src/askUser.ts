import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson, type Decision, type ProposedCall } from "@kumiko/plugin-api";
import type { Answer, JournalFailed, Question, Questions } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import type { AskingSignals } from "./admitCalls.ts";
import type { CallSlot } from "./CallSlot.ts";
import { guarded } from "./guarded.ts";
import type { RunContext } from "./RunContext.ts";
import type { ToolCallEvent } from "./tool-call.machine.ts";

/** SHA-256 (hex) of a call's name, folder and final input: what an approval is bound to. */
export const inputDigest = ({ cwd, name, input }: Pick<ProposedCall, "cwd" | "name" | "input">): string =>
  bytesToHex(sha256(utf8ToBytes(`${name} ${JSON.stringify(cwd)} ${canonicalJson(input)}`)));

/** Puts a call to the user, or refuses it where nobody can be asked. The question is safe before it is shown. */
export const askUser = Effect.fnUntraced(function* (
  run: RunContext,
  slot: CallSlot,
  signals: AskingSignals,
): Effect.fn.Return<ToolCallEvent, JournalFailed> {
  const { proposed, decision } = slot;
  if (proposed === undefined || decision === undefined) throw new TypeError("asked about an undecided call");
  const question = questionOf(run, proposed, decision, "approval");
  const answer = yield* answerTo(run, question, signals);
  if (answer === undefined) {
    slot.decision = { ...decision, verdict: "deny", reason: `nobody can be asked: ${decision.reason}` };
    slot.problem = `This call needs a person's approval (${decision.reason}) and nobody can be asked, so it did not run. Do not try to get around it: go on without it, or say what you need.`;
    return { type: "user.denied" };
  }
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

/** The question about a call as it would run: the same call with the same input gives the same question. */
export const questionOf = (
  run: RunContext,
  proposed: ProposedCall,
  decision: Decision,
  kind: Question["kind"],
): Question => {
  const { iteration, runId, sessionKey } = run.info();
  const { questionExpiryMillis } = run.kernel;
  const digest = inputDigest(proposed);
  return {
    // Models use ids of calls again: the turn tells them apart.
    id: `${runId}/${iteration}/${proposed.id}/${kind === "approval" ? digest.slice(0, 32) : kind}`,
    runId,
    sessionKey,
    kind,
    prompt:
      kind === "approval"
        ? promptOf(proposed, decision.reason)
        : promptOf(proposed, "the process died while this ran, and nobody knows whether it took effect. Go on?"),
    callId: proposed.id,
    tool: proposed.name,
    input: proposed.input,
    inputDigest: digest,
    decision,
    ...(questionExpiryMillis === undefined ? {} : { expiresAt: run.now() + questionExpiryMillis }),
  };
};

/** Asks, unless it was answered before (by another process, say); undefined: nobody can be asked. */
export const answerTo = Effect.fnUntraced(function* (
  run: RunContext,
  question: Question,
  signals: AskingSignals,
): Effect.fn.Return<Answer | undefined, JournalFailed> {
  const { answer: answerer, questions, unattended } = run.kernel;
  const known = yield* questions.answered(question);
  if (known !== undefined) return known;
  if (answerer === undefined && unattended === "deny") return undefined;
  signals.opened(question.id);
  yield* run.log.commitQuestion(question);
  run.hub.publish({
    type: "approval.start",
    questionId: question.id,
    callId: question.callId,
    prompt: question.prompt,
    decision: question.decision,
  });
  if (answerer === undefined && unattended === "suspend") return yield* run.suspend(question);
  const answer = yield* guarded(
    run,
    "questions",
    () => (answerer === undefined ? questions.ask(question) : firstAnswer(questions, question, answerer)),
    (detail): Answer => ({ type: "deny", reason: `the question could not be answered: ${detail}` }),
  );
  signals.answered(question.id);
  run.hub.publish({ type: "approval.end", questionId: question.id, callId: question.callId, answer: answer.type });
  return answer;
});

// Whoever is here is asked; an answer from elsewhere may come first. What is said too late counts for nothing.
const firstAnswer = (
  questions: Questions["Service"],
  question: Question,
  answerer: (question: Question) => Effect.Effect<Answer>,
): Effect.Effect<Answer> =>
  Effect.raceFirst(
    questions.ask(question),
    Effect.andThen(
      Effect.flatMap(answerer(question), (given) => Effect.ignore(questions.answer(question.id, given))),
      Effect.never,
    ),
  );

const promptOf = ({ name, command, resources }: ProposedCall, reason: string): string => {
  const target = command ?? resources.map(({ key }) => key.replace(/^file:/, "")).join(", ");
  return `${name}${target === "" ? "" : ` ${target}`}: ${reason}`;
};
