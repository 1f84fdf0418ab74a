import type { Fault } from "./Fault.ts";
import type { Frame } from "./Frame.ts";

/** Everything a connection or a stream may do wrong while what it says is right. */
export const streamFaults = {
  "byte-by-byte": {
    does: "writes every byte alone, so that frames, lines and characters are cut",
    delivery: "bytes",
    expected: { reply: true },
  },
  "all-at-once": { does: "writes the whole stream at once", delivery: "at-once", expected: { reply: true } },
  comments: { does: "sends comments between the frames", delivery: "comments", expected: { reply: true } },
  "carriage-returns": { does: "ends lines with CRLF", delivery: "crlf", expected: { reply: true } },
  pings: {
    does: "sends a ping after each frame",
    wires: ["anthropic"],
    frames: (frames) => frames.flatMap((frame): ReadonlyArray<Frame> => [frame, ping]),
    expected: { reply: true },
  },
  "unknown-events": {
    does: "sends events of a kind that no client knows yet",
    wires: ["anthropic", "responses"],
    frames: (frames) => frames.flatMap((frame): ReadonlyArray<Frame> => [unknown, frame]),
    expected: { reply: true },
  },
  "slow-headers": { does: "answers late", connection: "slow", expected: { reply: true } },
  "stays-open": { does: "says all, and leaves the stream open", ending: "open", expected: { reply: true } },
  "silent-before-answer": {
    does: "takes the request and never answers",
    connection: "silence",
    expected: { failures: ["timeout"] },
  },
  "silent-at-start": {
    does: "begins the stream and falls silent",
    cut: { at: "start" },
    ending: "silence",
    expected: { failures: ["timeout"] },
  },
  "silent-in-text": {
    does: "falls silent within the text",
    cut: { at: "text" },
    ending: "silence",
    expected: { failures: ["timeout"] },
  },
  "silent-in-arguments": {
    does: "falls silent within the arguments of a call",
    cut: { at: "arguments" },
    ending: "silence",
    expected: { failures: ["timeout"] },
  },
  "only-pings-at-start": {
    does: "begins the stream, then sends nothing but keep-alives",
    cut: { at: "start" },
    ending: "pings",
    expected: { failures: ["timeout"] },
  },
  "only-pings-in-text": {
    does: "sends nothing but keep-alives from within the text on",
    cut: { at: "text" },
    ending: "pings",
    expected: { failures: ["timeout"] },
  },
  "reset-before-answer": {
    does: "breaks the connection in place of an answer",
    connection: "reset",
    expected: { failures: ["network"] },
  },
  "ends-at-start": { does: "ends the stream after its first frame", cut: { at: "start" }, expected: broken() },
  "ends-in-text": { does: "ends the stream within the text", cut: { at: "text" }, expected: broken() },
  "ends-in-call": { does: "ends the stream after a call has begun", cut: { at: "call-start" }, expected: broken() },
  "ends-in-arguments": { does: "ends the stream within arguments", cut: { at: "arguments" }, expected: broken() },
  "ends-in-frame": {
    does: "ends the stream within a frame of arguments",
    cut: { at: "arguments", isTorn: true },
    expected: broken(),
  },
  "resets-in-text": {
    does: "breaks the connection within the text",
    cut: { at: "text" },
    ending: "reset",
    expected: broken(),
  },
  "resets-in-arguments": {
    does: "breaks the connection within arguments",
    cut: { at: "arguments" },
    ending: "reset",
    expected: broken(),
  },
  "resets-in-frame": {
    does: "breaks the connection within a frame of arguments",
    cut: { at: "arguments", isTorn: true },
    ending: "reset",
    expected: broken(),
  },
  "no-terminator": {
    does: "leaves out the frames that say why and that the reply is over",
    frames: (frames) => frames.filter(({ place }) => place !== "finish" && place !== "terminator"),
    expected: broken(),
  },
  "no-done": {
    does: "leaves out [DONE] after the finish reason, as several servers do",
    wires: ["chat"],
    frames: (frames) => frames.filter(({ place }) => place !== "terminator"),
    expected: { reply: true },
  },
  "malformed-json": {
    does: "sends a frame that is no JSON",
    frames: (frames) => frames.map((frame) => (frame.place === "text" ? { ...frame, data: '{"oops' } : frame)),
    expected: { failures: ["bad-response"] },
  },
  "no-objects": {
    does: "sends frames that are JSON, but no objects",
    frames: (frames) => frames.map((frame) => (frame.place === "text" ? { ...frame, data: "[1]" } : frame)),
    expected: { failures: ["bad-response"] },
  },
  "empty-stream": { does: "ends the stream without a frame", frames: () => [], expected: broken() },
  "self-signed": {
    does: "shows a certificate that nobody has signed",
    listens: "self-signed",
    expected: { failures: ["network"] },
  },
  "plain-at-https": {
    does: "speaks no TLS where TLS is asked for",
    listens: "plain-at-https",
    expected: { failures: ["network"] },
  },
} satisfies Readonly<Record<string, Fault>>;

function broken(): Fault["expected"] {
  return { failures: ["network", "bad-response"] };
}

const ping: Frame = { place: "ping", name: "ping", data: '{"type":"ping"}' };
const unknown: Frame = {
  place: "ping",
  name: "response.unheard_of",
  data: '{"type":"response.unheard_of","novelty":[{"index":0}]}',
};
