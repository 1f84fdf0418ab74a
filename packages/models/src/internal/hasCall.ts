import { type Message, toolCallsOf } from "@kumiko/plugin-api";

/** Whether a conversation has a call of this id. */
export const hasCall = (messages: ReadonlyArray<Message>, callId: string): boolean =>
  messages.some((message) => message.role === "assistant" && toolCallsOf(message).some(({ id }) => id === callId));
