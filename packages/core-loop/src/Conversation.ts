import {
  type AssistantMessage,
  type Message,
  textOf,
  toolCallsOf,
  type ToolMessage,
  type ToolResultPart,
  type UserMessage,
  userText,
} from "@kumiko/plugin-api";
import { joinReplies } from "./joinContinuation.ts";
import { ShownResults } from "./ShownResults.ts";
import type { SessionEvent } from "./session.machine.ts";
import type { ConversationRewound } from "./sessionRecords.ts";
import type { TurnEvent } from "./turn.machine.ts";
import type { FollowUp } from "./TurnTypes.ts";

/**
 * What the model is sent: a projection of a session's events, built up one event at a time. Replaying the same events
 * gives the same messages. It is well-formed between any two runs: every call has exactly one result, right after the
 * message that made it; a run that ended in the middle gets `cancelled` results for what it left open.
 */
export class Conversation {
  readonly #messages: Array<Message> = [];
  readonly #accepted = new Map<string, UserMessage>();
  #open: AssistantMessage | undefined;
  /** The last reply was no answer and is followed up; `from`: the first message that goes once there is another. */
  #followUp: { readonly kind: FollowUp["kind"]; readonly from: number } | undefined;
  // Most sessions have none.
  #kept: Map<string, string> | undefined;
  #shown = new ShownResults();
  #hasWorked = false;
  #wasRefused = false;

  /** How many results are kept whole beside it. */
  get keptResults(): number {
    return this.#kept?.size ?? 0;
  }

  /** The digest of what is kept whole under a reference. */
  keptDigest(reference: string): string | undefined {
    return this.#kept?.get(reference);
  }

  /** Whether a call has succeeded in it. */
  get hasWorked(): boolean {
    return this.#hasWorked;
  }

  /** Whether a call of the last reply with calls was refused, and nobody has said anything since. */
  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  /** The messages so far; a copy of the list, of the same messages. */
  get messages(): ReadonlyArray<Message> {
    return this.#messages.slice();
  }

  /** The latest message, if it is the model's. */
  get lastReply(): AssistantMessage | undefined {
    const last = this.#messages.at(-1);
    return last?.role === "assistant" ? last : undefined;
  }

  /** Works in an event of the session itself. */
  applySession(event: SessionEvent | ConversationRewound): void {
    if (event.type === "message.accepted") this.#accepted.set(event.runId, event.message);
    else if (event.type === "conversation.rewound") this.#rewind(event.messages);
    else if (event.type === "run.ended") {
      this.#accepted.delete(event.runId);
      this.#closeOpenCalls();
      this.#endFollowUp();
    }
  }

  // What is known of it is known of the messages that are left, and of nothing else.
  #rewind(messages: number): void {
    this.#messages.length = Math.min(messages, this.#messages.length);
    this.#open = undefined;
    this.#followUp = undefined;
    this.#wasRefused = false;
    this.#hasWorked = false;
    this.#kept = undefined;
    this.#shown = new ShownResults();
    let reply: AssistantMessage | undefined;
    for (const message of this.#messages)
      if (message.role === "assistant") reply = message;
      else if (message.role === "tool") {
        this.#know(message);
        this.#shown.take(reply, message);
      }
  }

  /** What the model has been shown, and still has above. */
  get shown(): Pick<ShownResults, "has"> {
    return this.#shown;
  }

  #know({ parts }: ToolMessage): void {
    this.#hasWorked ||= parts.some(({ status }) => status === "ok");
    for (const { kept } of parts) if (kept !== undefined) (this.#kept ??= new Map()).set(kept.reference, kept.digest);
  }

  /** The text of a reply that was cut and is being continued. */
  get begunText(): string {
    const begun = this.#followUp?.kind === "continue" ? this.#messages[this.#followUp.from] : undefined;
    return begun === undefined ? "" : textOf(begun);
  }

  /** What was said to start a run, or to steer one. */
  message(id: string): UserMessage | undefined {
    return this.#accepted.get(id);
  }

  /** Forgets a message whose run will never begin. */
  forget(runId: string): void {
    this.#accepted.delete(runId);
  }

  /** Works in an event of one of its runs. */
  applyTurn(runId: string, event: TurnEvent): void {
    if (event.type === "prompt.built") {
      this.#wasRefused = false;
      const message = this.#accepted.get(runId);
      if (message !== undefined) this.#messages.push(message);
    } else if (event.type === "reply.received") this.#takeReply(this.#withoutFollowUp(event.message));
    else if (event.type === "followUp.added") this.#addFollowUp(event);
    else if (event.type === "results.recorded") this.#takeResults(event);
    else if (event.type === "steering.injected") {
      this.#wasRefused = false;
      for (const id of event.messageIds) {
        const message = this.#accepted.get(id);
        if (message !== undefined) this.#messages.push(message);
        this.#accepted.delete(id);
      }
    }
  }

  // The reply that is followed up stays until there is another, so that the model knows what is meant.
  #addFollowUp({ kind, text }: TurnEvent & { readonly type: "followUp.added" }): void {
    if (kind === "checkpoint" || kind === "goOn") {
      this.#messages.push(userText(text));
      return;
    }
    const isShown = kind !== "again" && this.lastReply !== undefined;
    this.#followUp = { kind, from: this.#messages.length - (isShown ? 1 : 0) };
    this.#messages.push(userText(text));
  }

  /** Takes the follow-up back: what it continues is joined with the reply, what it corrects is void. */
  #withoutFollowUp(reply: AssistantMessage): AssistantMessage {
    if (this.#followUp === undefined) return reply;
    const { from, kind } = this.#followUp;
    const [begun] = this.#messages.slice(from);
    this.#messages.length = from;
    this.#followUp = undefined;
    return kind === "continue" && begun?.role === "assistant" ? joinReplies(begun, reply) : reply;
  }

  // The run ended before there was another reply: half an answer is one, a void one is none.
  #endFollowUp(): void {
    if (this.#followUp === undefined) return;
    const { from, kind } = this.#followUp;
    this.#messages.length = kind === "continue" ? from + 1 : from;
    this.#followUp = undefined;
  }

  #takeReply(message: AssistantMessage): void {
    // A reply without text and calls (nothing, or reasoning only) would be refused by providers when sent back.
    if (textOf(message).trim() === "" && toolCallsOf(message).length === 0) return;
    this.#messages.push(message);
    if (toolCallsOf(message).length > 0) this.#open = message;
  }

  #takeResults({ message, refusals, steering }: TurnEvent & { readonly type: "results.recorded" }): void {
    this.#messages.push(message);
    this.#know(message);
    this.#shown.take(this.#open, message);
    this.#wasRefused = refusals > 0;
    this.#open = undefined;
    if (steering.type === "nudge") this.#messages.push(userText(steering.text));
  }

  #closeOpenCalls(): void {
    if (this.#open === undefined) return;
    const parts = toolCallsOf(this.#open).map(({ id, name }): ToolResultPart => ({
      type: "tool-result",
      callId: id,
      name,
      status: "cancelled",
      text: "The run ended before this call had a result. It may or may not have run: check before doing it again.",
    }));
    this.#messages.push({ role: "tool", parts });
    this.#open = undefined;
  }
}
