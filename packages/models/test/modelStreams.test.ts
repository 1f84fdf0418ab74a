import { isDeepStrictEqual } from "node:util";
import type { AssistantMessage, ModelEvent, ModelReply } from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { makeAnthropicReply } from "../src/AnthropicReply.ts";
import type { CallProblem } from "../src/CallProblem.ts";
import { makeChatCompletionsReply } from "../src/ChatCompletionsReply.ts";
import type { MakeReplyReader } from "../src/ReplyReader.ts";
import { makeResponsesReply } from "../src/ResponsesReply.ts";
import { makeSseParser } from "../src/SseParser.ts";
import { type Frame, played, textOfFrame, type WireFormat, wireFormats, wireFrames } from "../src/testing/index.ts";
import { mutated, type Random, seeded } from "./mutations.ts";
import { failureLaw, replyLaw } from "./streamLaws.ts";
import { anthropicStream, chatStream, responsesStream } from "./streams.ts";
import { witness } from "./streamWitness.ts";

const readers: Readonly<Record<WireFormat, MakeReplyReader>> = {
  anthropic: (asked, onEvent) => makeAnthropicReply({ ...asked, model: "m" }, onEvent),
  chat: (asked, onEvent) => makeChatCompletionsReply({ ...asked, keepsReasoningOf: "m" }, onEvent),
  responses: (asked, onEvent) => makeResponsesReply({ ...asked, model: "m" }, onEvent),
};

const scripts = [
  {
    reasoning: "Überlegen … 語",
    text: "Ich lese beide: 😀.",
    calls: [
      { name: "file_read", input: { path: "größe/語😀.md", lines: [1, 2], deep: { a: null } } },
      { name: "bash", input: { command: "rm -r build" } },
      { name: "time", input: {} },
    ],
  },
  { text: 'Only text, and "quotes" {braces}.', calls: [] },
  { calls: [{ name: "grep", input: { pattern: "x".repeat(60) } }], stopReason: "length" as const },
];
const recorded: Readonly<Record<WireFormat, ReadonlyArray<Buffer>>> = {
  anthropic: [...scripts.map((script) => streamOf("anthropic", script)), Buffer.from(anthropicStream)],
  chat: [...scripts.map((script) => streamOf("chat", script)), Buffer.from(chatStream)],
  responses: [...scripts.map((script) => streamOf("responses", script)), Buffer.from(responsesStream)],
};

function streamOf(wire: WireFormat, script: (typeof scripts)[number]): Buffer {
  return bytesOf(wireFrames(wire, played(script, 0)));
}

function bytesOf(frames: ReadonlyArray<Frame>): Buffer {
  return Buffer.from(frames.map(textOfFrame).join(""));
}

interface Read {
  readonly result: Result.Result<ModelReply, CallProblem>;
  readonly events: ReadonlyArray<ModelEvent>;
}

/** As a client reads: until the reply is done, a problem comes, or the bytes are over. */
const readStream = (wire: WireFormat, pieces: ReadonlyArray<Uint8Array>): Read => {
  const events: Array<ModelEvent> = [];
  let problem: CallProblem | undefined;
  const reply = readers[wire]({ toolChoice: "auto", messageCount: 1, requestBytes: 400 }, (event) => {
    events.push(event);
  });
  const parser = makeSseParser((data) => {
    if (problem === undefined && !reply.isDone()) problem = reply.read(data);
  });
  for (const piece of pieces) if (!reply.isDone() && problem === undefined) parser.push(piece);
  parser.end();
  return { result: problem === undefined ? reply.finish() : Result.fail(problem), events };
};

const messageOf = ({ result }: Read): AssistantMessage | undefined =>
  Result.isSuccess(result) ? result.success.message : undefined;

/** Calls that can be made: those that are malformed say so, and are not. */
const callsOf = (message: AssistantMessage | undefined): ReadonlyArray<unknown> =>
  (message?.parts ?? []).flatMap((part) =>
    part.type === "tool-call" && part.malformed === undefined ? [{ name: part.name, input: part.input }] : [],
  );

const cutAnywhere = (bytes: Uint8Array, random: Random): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Uint8Array> = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + random(40);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
};

/** Every how many streams the same bytes are read again, in pieces. */
const cutEvery = 16;

describe.each(wireFormats)("streams of %s, whatever happens to their bytes", (wire) => {
  it("are read right when nothing does", () => {
    for (const bytes of recorded[wire]) {
      const { events, result } = readStream(wire, [bytes]);
      const law = Result.isSuccess(result) ? replyLaw(result.success, events, witness(wire, bytes)) : "it failed";
      expect(law).toBeUndefined();
    }
  });

  it("are a failure or the whole reply when they end early, wherever that is", () => {
    for (const bytes of recorded[wire]) {
      const whole = messageOf(readStream(wire, [bytes]));
      let failures = 0;
      for (let length = 0; length < bytes.length; length++) {
        const message = messageOf(readStream(wire, [bytes.subarray(0, length)]));
        if (message === undefined) failures++;
        else expect(message).toEqual(whole);
      }
      expect(failures).toBeGreaterThan(bytes.length / 2);
    }
  });

  // A piece of arguments may go missing so that what is left is still JSON: no wire counts its pieces. All else is told.
  it("give no call that was not made when a frame is lost", () => {
    for (const script of scripts) {
      const frames = wireFrames(wire, played(script, 0));
      const made = callsOf(messageOf(readStream(wire, [bytesOf(frames)])));
      for (const [lost, { place }] of frames.entries())
        if (place !== "arguments")
          for (const call of callsOf(messageOf(readStream(wire, [bytesOf(frames.toSpliced(lost, 1))]))))
            expect(made).toContainEqual(call);
    }
  });

  it("never make a reader crash or invent", { timeout: 3_600_000 }, () => {
    const runs = Math.ceil(soak.runsOr(6_000) / wireFormats.length);
    const random = seeded(soak.seed);
    let replies = 0;
    let calls = 0;
    const start = performance.now();
    for (let run = 0; run < runs; run++) {
      const bytes = mutated(recorded[wire][random(recorded[wire].length)] ?? Buffer.alloc(0), random);
      const { events, result } = readStream(wire, [bytes]);
      const law = Result.isSuccess(result)
        ? replyLaw(result.success, events, witness(wire, bytes))
        : failureLaw(result.failure);
      if (law !== undefined) throw new Error(`run ${run}, seed ${soak.seed}: ${law}\n${bytes.toString("latin1")}`);
      if (Result.isSuccess(result)) {
        replies++;
        calls += result.success.message.parts.filter(({ type }) => type === "tool-call").length;
      }
      if (run % cutEvery === 0 && !isDeepStrictEqual(readStream(wire, cutAnywhere(bytes, random)), { events, result }))
        throw new Error(`run ${run}, seed ${soak.seed}: read otherwise in pieces\n${bytes.toString("latin1")}`);
    }
    const seconds = (performance.now() - start) / 1000;
    process.stdout.write(
      `${wire}: ${runs} mutated streams, ${replies} replies with ${calls} calls, ${runs - replies} failures, ${Math.round(runs / seconds)}/s, seed ${soak.seed}\n`,
    );
    // A sample in which nothing survives, or everything, would prove nothing.
    expect(replies).toBeGreaterThan(runs / 20);
    expect(replies).toBeLessThan(runs);
    expect(calls).toBeGreaterThan(0);
  });
});
