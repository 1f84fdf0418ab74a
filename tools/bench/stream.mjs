// What reading a reply of 10 000 deltas (half of text, half of a call's arguments) costs for each wire format, against reading the same bytes with undici and
// parsing each data line: CPU of this process, alternating, the server in another one. Prints JSON.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { anthropic, openAiCompatible, openAiResponses } from "@kumiko/models";
import * as Effect from "effect/Effect";
import { Pool } from "undici";

const deltas = 10_000;
const rounds = 30;
const warmUps = 10;

const named = (value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const data = (value) => `data: ${JSON.stringify(value)}\n\n`;
const words = Array.from({ length: deltas / 2 }, (_, at) => `word${at % 97} `);
// One long text, as of a file that is written.
const pieces = ['{"text":"', ...words.slice(2), '"}'];
const chunk = (delta, finish) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish ?? null }],
});
const textDelta = (delta, at) =>
  named({
    type: "response.output_text.delta",
    sequence_number: at,
    item_id: "msg_1",
    output_index: 0,
    content_index: 0,
    delta,
    logprobs: [],
  });

const streams = {
  "/v1/chat/completions": [
    ...words.map((content) => data(chunk({ content }))),
    data(chunk({ tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "t", arguments: "" } }] })),
    ...pieces.map((text) => data(chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] }))),
    data(chunk({}, "tool_calls")),
    "data: [DONE]\n\n",
  ],
  "/v1/messages": [
    named({ type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 1 } } }),
    named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...words.map((text) => named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
    named({ type: "content_block_stop", index: 0 }),
    named({
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "c", name: "t", input: {} },
    }),
    ...pieces.map((text) =>
      named({ type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: text } }),
    ),
    named({ type: "content_block_stop", index: 1 }),
    named({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: deltas } }),
    named({ type: "message_stop" }),
  ],
  "/v1/responses": [
    named({ type: "response.created", response: {} }),
    named({ type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1" } }),
    ...words.map(textDelta),
    named({
      type: "response.output_item.added",
      output_index: 1,
      item: { type: "function_call", call_id: "c", name: "t" },
    }),
    ...pieces.map((delta, at) =>
      named({
        type: "response.function_call_arguments.delta",
        sequence_number: at,
        item_id: "f",
        output_index: 1,
        delta,
      }),
    ),
    named({ type: "response.completed", response: { status: "completed", output: [] } }),
  ],
};

const serve = () => {
  const bodies = new Map(Object.entries(streams).map(([path, events]) => [path, Buffer.from(events.join(""))]));
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(bodies.get(request.url));
    });
  });
  server.listen(0, "127.0.0.1", () => console.log(`READY ${server.address().port}`));
};

// The floor: lines split as they come, each data line parsed, nothing made of it.
const makeFloor = (origin) => {
  const pool = new Pool(origin);
  return async (path) => {
    const { body } = await pool.request({ method: "POST", path, body: "{}" });
    const decoder = new TextDecoder();
    let buffer = "";
    let parsed = 0;
    for await (const bytes of body) {
      buffer += decoder.decode(bytes, { stream: true });
      let start = 0;
      for (let end = buffer.indexOf("\n"); end >= 0; end = buffer.indexOf("\n", start)) {
        const line = buffer.slice(start, end);
        start = end + 1;
        if (!line.startsWith("data: ") || line === "data: [DONE]") continue;
        if (typeof JSON.parse(line.slice(6)) === "object") parsed++;
      }
      buffer = buffer.slice(start);
    }
    if (parsed < deltas) throw new Error(`the floor read ${parsed} events`);
  };
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const cpuOf = async (run) => {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

const measure = async (port) => {
  const origin = `http://127.0.0.1:${port}`;
  const options = { model: "m", baseUrl: `${origin}/v1` };
  const models = {
    "/v1/chat/completions": openAiCompatible(options),
    "/v1/messages": anthropic(options),
    "/v1/responses": openAiResponses(options),
  };
  const floor = makeFloor(origin);
  const request = {
    system: "",
    tools: [],
    messages: [{ role: "user", parts: [{ type: "text", text: "Go." }] }],
    toolChoice: "auto",
  };
  const ask = async (model) => {
    let events = 0;
    await Effect.runPromise(model.generate(request, () => events++));
    if (events < deltas) throw new Error(`the model told of ${events} events`);
  };
  const figures = {};
  for (const [path, model] of Object.entries(models)) {
    const [own, bare] = [[], []];
    for (let round = -warmUps; round < rounds; round++) {
      const millis = [await cpuOf(() => floor(path)), await cpuOf(() => ask(model))];
      if (round >= 0) {
        bare.push(millis[0]);
        own.push(millis[1]);
      }
    }
    figures[path.slice("/v1/".length)] = { millis: median(own), floorMillis: median(bare) };
  }
  return figures;
};

if (process.argv[2] === "serve") serve();
else {
  const server = spawn(process.execPath, [import.meta.filename, "serve"], { stdio: ["ignore", "pipe", "inherit"] });
  server.stdout.on("data", async (text) => {
    console.log(JSON.stringify(await measure(/READY (\d+)/.exec(String(text))[1])));
    server.kill();
    process.exit(0);
  });
}
