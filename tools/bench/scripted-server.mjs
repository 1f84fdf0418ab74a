// A scripted model server that speaks Chat Completions, streaming. Stateless: how far a session is follows from the
// number of tool results in the request, so that it costs one scan of the body and one write a request.
// The script is named in the path: /t100p8/v1/chat/completions = 100 tool turns of 8 calls each, then the final text.
// usage: node scripted-server.mjs [tool name] [arguments, $K is the number of the call]. Prints "READY <port>".
import http from "node:http";

const [, , tool = "echo", args = '{"key":"k$K"}'] = process.argv;
const deltas = 10;
let stats = { requests: 0, firstAt: 0, bytes: 0 };

const event = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "scripted", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const answers = new Map();
const answer = (turns, parallel, turn) => {
  const key = `${turns} ${parallel} ${turn}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  const isLast = turn >= turns;
  let text = event({ role: "assistant", content: "" });
  for (let n = 0; n < deltas; n++)
    text += event({ content: n < deltas - 1 ? `word${n} ` : isLast ? "done." : "call. " });
  for (let index = 0; index < (isLast ? 0 : parallel); index++) {
    const number = turn * parallel + index;
    const input = args.replaceAll("$K", String(number));
    const third = Math.ceil(input.length / 3);
    text += event({
      tool_calls: [{ index, id: `call_${number}`, type: "function", function: { name: tool, arguments: "" } }],
    });
    for (let at = 0; at < input.length; at += third)
      text += event({ tool_calls: [{ index, function: { arguments: input.slice(at, at + third) } }] });
  }
  text += event({}, isLast ? "stop" : "tool_calls");
  text += `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "scripted", choices: [], usage: { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 } })}\n\n`;
  const bytes = Buffer.from(`${text}data: [DONE]\n\n`);
  answers.set(key, bytes);
  return bytes;
};

const count = (body, mark) => {
  let n = 0;
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 1)) n++;
  return n;
};

const server = http.createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    if (request.url === "/stats" || request.url === "/reset") {
      const json = JSON.stringify(stats);
      if (request.url === "/reset") stats = { requests: 0, firstAt: 0, bytes: 0 };
      return response.end(json);
    }
    const script = /^\/t(\d+)p(\d+)\/v1\/chat\/completions$/.exec(request.url);
    if (script === null) {
      response.statusCode = 404;
      return response.end();
    }
    const body = Buffer.concat(chunks);
    stats.firstAt ||= at;
    stats.requests++;
    stats.bytes += body.length;
    const [turns, parallel] = [Number(script[1]), Number(script[2])];
    const bytes = answer(turns, parallel, Math.min(turns, Math.floor(count(body, '"role":"tool"') / parallel)));
    response.writeHead(200, { "content-type": "text/event-stream", "content-length": bytes.length });
    response.end(bytes);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", 4096, () => console.log("READY", server.address().port));
process.on("SIGTERM", () => process.exit(0));
setTimeout(() => process.exit(0), 3_600_000).unref();
