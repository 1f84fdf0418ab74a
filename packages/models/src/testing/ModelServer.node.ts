import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import { isJsonObject, type JsonObject } from "@kumiko/plugin-api";
import type { Fault } from "./Fault.ts";
import { faults as knownFaults } from "./faults.ts";
import { playFault } from "./playFault.node.ts";
import type { ScriptedReply, WireFormat } from "./ReplyScript.ts";
import { selfSigned } from "./selfSigned.node.ts";
import { wireAt } from "./wireFrames.ts";

/** One request as it came. */
export interface AskedCall {
  readonly wire: WireFormat;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** Milliseconds since the server began. */
  readonly atMillis: number;
  /** The fault it was answered with; absent: as scripted. */
  readonly fault?: string;
}

/** What a {@link modelServer} says and how it misbehaves. */
export interface ModelServerOptions {
  /** The replies of a session in order, or what answers each request. A request beyond the last reply gets a 400. */
  readonly script: ReadonlyArray<ScriptedReply> | ((asked: AskedCall) => ScriptedReply);
  /** One a request, by name or of one's own; `undefined` is none. Then the server is healthy. */
  readonly faults?: ReadonlyArray<string | Fault | undefined>;
  /** `self-signed`: https with a certificate of its own, to be trusted or not. Default: http. */
  readonly listens?: Fault["listens"];
}

/** A server on loopback that speaks three wire formats. Disposing ends its connections. */
export interface ModelServer extends AsyncDisposable {
  /** Scheme, host and port, where the format's client adds the rest: `/v1/messages`. */
  readonly origin: string;
  /** With `/v1`, as OpenAI's clients want it. */
  readonly baseUrl: string;
  /** The certificate to trust where the server listens for https. */
  readonly certificate?: string;
  /** Everything it was asked, in order. */
  readonly asked: ReadonlyArray<AskedCall>;
  /** Adds faults for the requests to come, behind those that still wait. */
  readonly misbehave: (...faults: ReadonlyArray<string | Fault | undefined>) => void;
  /** Connections accepted so far, and those still open. */
  readonly connections: () => { readonly accepted: number; readonly open: number };
}

/**
 * Starts a model server for tests: one script of replies, told to Anthropic's and both of OpenAI's clients alike, and
 * every misbehaviour of {@link faults} on demand. With it a harness author tests a harness against the wire as it is.
 *
 * **Contract.** A request takes the next fault, then the next reply of the script; a reply that a fault has broken is
 * kept for the next request, as a retry expects. Nothing is random. Which format is spoken is decided by the path. A
 * fault that needs a server of its own kind (`listens`) may only stand first, and holds for the whole server.
 *
 * @example
 * ```ts
 * await using server = await modelServer({
 *   script: [{ text: "I look.", calls: [{ name: "file_read", input: { path: "a.md" } }] }, { text: "It is empty." }],
 *   faults: ["status-529", "byte-by-byte"],
 * })
 * const model = openAiCompatible({ model: "any", baseUrl: server.baseUrl })
 * // … run a harness on `model`: one call refused, two answered …
 * server.asked.map(({ fault }) => fault) // => []
 * ```
 */
export const modelServer = async (options: ModelServerOptions): Promise<ModelServer> => {
  const waiting: Array<Fault | undefined> = [];
  const names = new Map<Fault, string>();
  const misbehave: ModelServer["misbehave"] = (...given) => {
    for (const fault of given) waiting.push(typeof fault === "string" ? faultNamed(fault, names) : fault);
  };
  misbehave(...(options.faults ?? []));
  const listens = options.listens ?? waiting[0]?.listens;

  const asked: Array<AskedCall> = [];
  const start = performance.now();
  let replies = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bodyText = await textOf(request);
    const path = request.url ?? "/";
    const wire = wireAt(path);
    if (wire === undefined) return refuse(response, 404, `there is no ${path} here`);
    const body: unknown = parsed(bodyText);
    const fault = waiting.shift();
    const name = fault === undefined ? undefined : (names.get(fault) ?? fault.does);
    const call: AskedCall = {
      wire,
      path,
      headers: headersOf(request),
      body: isJsonObject(body) ? body : {},
      atMillis: performance.now() - start,
      ...(name === undefined ? {} : { fault: name }),
    };
    asked.push(call);
    const number = replies;
    const reply = typeof options.script === "function" ? options.script(call) : options.script[number];
    const isHeard = fault === undefined || fault.expected.reply === true || fault.expected.malformedCalls === true;
    if (isHeard) replies++;
    const needsReply = fault?.answer === undefined && fault?.connection === undefined;
    if (reply === undefined && needsReply) return refuse(response, 400, "the script has no more replies");
    return playFault({ wire, reply: reply ?? {}, number, fault, key: keyOf(call.headers) }, response);
  };

  const listener: RequestListener = (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 500, error instanceof Error ? error.message : String(error));
      else response.destroy();
    });
  };
  const identity = listens === "self-signed" ? selfSigned() : undefined;
  const server = identity === undefined ? createServer(listener) : createTlsServer(identity, listener);
  let accepted = 0;
  let open = 0;
  server.on("connection", (socket) => {
    accepted++;
    open++;
    socket.on("close", () => open--);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `${listens === undefined ? "http" : "https"}://127.0.0.1:${portOf(server.address())}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    ...(identity === undefined ? {} : { certificate: identity.cert }),
    asked,
    misbehave,
    connections: () => ({ accepted, open }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const faultNamed = (name: string, names: Map<Fault, string>): Fault => {
  const fault = Object.hasOwn(knownFaults, name) ? knownFaults[name] : undefined;
  if (fault === undefined)
    throw new Error(`there is no fault "${name}"; known are ${Object.keys(knownFaults).join(", ")}`);
  names.set(fault, name);
  return fault;
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Uint8Array> = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const headersOf = (request: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));

const keyOf = (headers: Readonly<Record<string, string>>): string =>
  headers["x-api-key"] ?? headers["authorization"]?.replace(/^Bearer /, "") ?? "";

const refuse = (response: ServerResponse, status: number, message: string): void => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }));
};

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === "string") throw new Error("the model server has no port");
  return address.port;
};
