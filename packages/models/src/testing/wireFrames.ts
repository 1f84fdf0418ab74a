import { anthropicFrames } from "./anthropicFrames.ts";
import { chatFrames } from "./chatFrames.ts";
import type { Frame } from "./Frame.ts";
import { type PlayedReply, type WireFormat, wireFormats } from "./ReplyScript.ts";
import { responsesFrames } from "./responsesFrames.ts";

const encoders: Readonly<Record<WireFormat, (reply: PlayedReply) => ReadonlyArray<Frame>>> = {
  anthropic: anthropicFrames,
  chat: chatFrames,
  responses: responsesFrames,
};

/** A reply as the frames of a stream. */
export const wireFrames = (wire: WireFormat, reply: PlayedReply): ReadonlyArray<Frame> => encoders[wire](reply);

const endings: Readonly<Record<WireFormat, string>> = {
  anthropic: "/messages",
  chat: "/chat/completions",
  responses: "/responses",
};

/** The format that is asked for at a path; `undefined`: none. */
export const wireAt = (path: string): WireFormat | undefined => {
  const [plain = ""] = path.split("?");
  return wireFormats.find((wire) => plain.endsWith(endings[wire]));
};

/** What an open stream of this format sends so that nobody hangs up. */
export const keepAliveOf = (wire: WireFormat): string =>
  wire === "anthropic" ? 'event: ping\ndata: {"type": "ping"}\n\n' : ": keep-alive\n\n";
