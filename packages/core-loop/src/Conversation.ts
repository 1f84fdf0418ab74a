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
import type { SessionEvent } from "./session.machine.ts";
import type { ConversationRewound } from "./sessionRecords.ts";
import type { TurnEvent } from "./turn.machine.ts";

/**
 * What the model is sent: a projection of a session's events, built up one event at a time. Replaying the same events
 * gives the same messages. It is well-formed between any two runs: every call has exactly one result, right after the
 * message that made it; a run that ended in the middle gets `cancelled` results for what it left open.
 */
export class Conversation {
  readonly #messages: Array<Message> = [];
  readonly #accepted = new Map<string, UserMessage>();
  #open: AssistantMessage | undefined;

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
    else if (event.type === "conversation.rewound") this.#messages.length = event.messages;
    else if (event.type === "run.ended") {
      this.#accepted.delete(event.runId);
      this.#closeOpenCalls();
    }
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
      const message = this.#accepted.get(runId);
      if (message !== undefined) this.#messages.push(message);
    } else if (event.type === "reply.received") this.#takeReply(event.message);
    else if (event.type === "results.recorded") this.#takeResults(event.message, event.steering);
    else if (event.type === "steering.injected")
      for (const id of event.messageIds) {
        const message = this.#accepted.get(id);
        if (message !== undefined) this.#messages.push(message);
        this.#accepted.delete(id);
      }
  }

  #takeReply(message: AssistantMessage): void {
    // A reply without text and calls (nothing, or reasoning only) would be refused by providers when sent back.
    if (textOf(message) === "" && toolCallsOf(message).length === 0) return;
    this.#messages.push(message);
    if (toolCallsOf(message).length > 0) this.#open = message;
  }

  #takeResults(message: ToolMessage, steering: { readonly type: string; readonly text?: string }): void {
    this.#messages.push(message);
    this.#open = undefined;
    if (steering.type === "nudge" && steering.text !== undefined) this.#messages.push(userText(steering.text));
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
