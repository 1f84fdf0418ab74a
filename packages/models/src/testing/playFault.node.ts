import type { ServerResponse } from "node:http";
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "./Fault.ts";
import { type Frame, textOfFrame } from "./Frame.ts";
import { played, type ScriptedReply, type WireFormat } from "./ReplyScript.ts";
import { keepAliveOf, wireFrames } from "./wireFrames.ts";

/** What is to be played for one request. */
export interface Play {
  readonly wire: WireFormat;
  readonly reply: ScriptedReply;
  /** Which reply of the session it is, from 0. */
  readonly number: number;
  readonly fault: Fault | undefined;
  /** What the client sent as its key; empty: none. */
  readonly key: string;
}

/** How late a slow answer comes, and how often keep-alives do. */
const slowMillis = 150;
const pingMillis = 20;

/** Answers one request: as scripted, or as the fault has it. */
export const playFault = async (play: Play, response: ServerResponse): Promise<void> => {
  const {
    fault = {},
    wire,
    key,
  }: { fault?: Partial<Fault>; wire: WireFormat; key: string } = {
    ...play,
    fault: play.fault ?? {},
  };
  if (fault.connection === "silence") return undefined;
  if (fault.connection === "reset") return void response.destroy();
  if (fault.connection === "slow") await sleep(slowMillis);
  if (fault.answer !== undefined) {
    const { status, headers = {}, body } = fault.answer(wire);
    response.writeHead(status, headers);
    return void response.end(body.replaceAll("{key}", key));
  }
  const scripted = fault.reply?.(play.reply) ?? play.reply;
  const frames = wireFrames(wire, played(scripted, play.number));
  const { texts, torn } = cut(fault.frames?.(frames, wire) ?? frames, fault.cut);
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  await deliver(
    response,
    [...texts, torn].filter((text) => text !== "").map((text) => text.replaceAll("{key}", key)),
    fault.delivery ?? "frames",
    keepAliveOf(wire),
  );
  return end(response, fault.ending ?? "end", keepAliveOf(wire));
};

const cut = (
  frames: ReadonlyArray<Frame>,
  at: Fault["cut"],
): { readonly texts: ReadonlyArray<string>; readonly torn: string } => {
  const texts = frames.map(textOfFrame);
  if (at === undefined) return { texts, torn: "" };
  const index = frames.findIndex(({ place }) => place === at.at);
  if (index < 0) throw new Error(`this fault cuts the reply at its ${at.at}, and the scripted reply has none`);
  if (at.isTorn !== true) return { texts: texts.slice(0, index + 1), torn: "" };
  const last = texts[index] ?? "";
  return { texts: texts.slice(0, index), torn: last.slice(0, Math.floor(last.length / 2)) };
};

const deliver = async (
  response: ServerResponse,
  texts: ReadonlyArray<string>,
  delivery: NonNullable<Fault["delivery"]>,
  keepAlive: string,
): Promise<void> => {
  if (delivery === "at-once") return void response.write(texts.join(""));
  for (const text of texts) {
    if (response.destroyed) return undefined;
    if (delivery === "bytes")
      for (const byte of Buffer.from(text)) {
        response.write(Buffer.of(byte));
        await nextRound();
      }
    else if (delivery === "comments") response.write(`: a comment\n\n${keepAlive}${text}`);
    else response.write(delivery === "crlf" ? text.replaceAll("\n", "\r\n") : text);
    await nextRound();
  }
  return undefined;
};

const end = async (
  response: ServerResponse,
  ending: NonNullable<Fault["ending"]>,
  keepAlive: string,
): Promise<void> => {
  if (ending === "end") return void response.end();
  if (ending === "silence" || ending === "open") return void response.flushHeaders();
  if (ending === "reset") {
    // What was written must arrive before the connection breaks.
    await sleep(pingMillis);
    return void response.destroy();
  }
  while (!response.destroyed) {
    response.write(keepAlive);
    await sleep(pingMillis);
  }
  return undefined;
};
