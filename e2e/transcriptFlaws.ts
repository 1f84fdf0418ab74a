import { type Message, textOf, toolCallsOf } from "@kumiko/plugin-api";

/** What the loop tells a model between two replies of one turn; none of it may stay. */
const followUps = ["Your reply was cut off", "Your reply was empty", "Your reply writes out", "Your reply says that"];

/** What a provider would refuse in a conversation, or a reader stumble over; none: it is well-formed. */
export const transcriptFlaws = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages.flatMap((message, at) => {
    const flaws: Array<string> = [];
    const next = messages[at + 1];
    const calls = message.role === "assistant" ? toolCallsOf(message).map(({ id }) => id) : [];
    const results = next?.role === "tool" ? next.parts.map(({ callId }) => callId) : [];
    if (JSON.stringify(calls) !== JSON.stringify(results))
      flaws.push(`message ${at}: calls ${calls.join()} have results ${results.join()}`);
    if (new Set(calls).size !== calls.length) flaws.push(`message ${at}: two calls of one id`);
    if (message.role === "tool" && messages[at - 1]?.role !== "assistant")
      flaws.push(`message ${at}: results of nothing`);
    if (message.role === "assistant" && calls.length === 0 && textOf(message).trim() === "")
      flaws.push(`message ${at} is empty`);
    if (message.role === "assistant" && next?.role === "assistant") flaws.push(`messages ${at} and ${at + 1} are one`);
    if (message.role === "user" && followUps.some((text) => textOf(message).startsWith(text)))
      flaws.push(`message ${at} is a follow-up`);
    return flaws;
  });
