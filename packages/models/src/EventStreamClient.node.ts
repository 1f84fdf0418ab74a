import { performance } from "node:perf_hooks";
import { type Dispatcher, errors, Pool, ProxyAgent } from "undici";
import { type CallProblem, type FailureHeaders, problemOfError, problemOfStatus, tidy } from "./CallProblem.ts";
import { concatBytes } from "./SseParser.ts";

/** Where and how an {@link EventStreamClient} posts. */
export interface EventStreamClientOptions {
  readonly url: URL;
  readonly headers: ReadonlyMap<string, string>;
  /** Longest silence of the server, before and within its answer. Three times as long if it sends keep-alives. */
  readonly idleTimeoutMillis: number;
  /** The proxy to go through, with user name and password where it wants them. They are in no failure. */
  readonly proxy?: string;
}

/** What becomes of a post. Called synchronously as bytes arrive: `data` any number of times, then one of the others. */
export interface EventStreamHandler {
  /** True: the reply is complete, and `end` is due even if the server keeps the stream open. */
  readonly data: (bytes: Uint8Array) => boolean;
  /** Whether a part of the reply has come since it was last asked. */
  readonly hasProgressed: () => boolean;
  readonly end: () => void;
  readonly problem: (problem: CallProblem) => void;
}

/** Posts to one URL and hands over the bytes of the event streams that come back. */
export interface EventStreamClient {
  /** Returns the way to give up: the connection is destroyed and the handler hears no more. */
  readonly post: (body: Uint8Array, handler: EventStreamHandler) => () => void;
  /** Ends every connection; posts under way get a problem. */
  readonly destroy: () => Promise<void>;
}

/** Connections of one client; more posts at once wait for a free one. */
const maxConnections = 256;
/** An idle connection is kept this long, so that a turn's tools may take their time; a server's own hint wins. */
const keepAliveMillis = 30_000;
const connectTimeoutMillis = 10_000;
/** A server that sends anything lives, and may think this many times longer than a silent one; then it hangs too. */
const patienceWithKeepAlives = 3;
/** Of a failed answer, only so much is read, for so long: its status says most. */
const maxFailureBytes = 64 * 1024;
const maxFailureMillis = 10_000;
/** A reply of an honest model has a few megabytes at most, its framing included. */
const maxReplyBytes = 64 * 1024 * 1024;
/** How long the end of an answer may take once the reply is complete: longer costs waiting, shorter a new connection. */
const lingerMillis = 100;

/** Makes a client with connections of its own. None is opened before the first post. */
export const makeEventStreamClient = (options: EventStreamClientOptions): EventStreamClient => {
  const { url, idleTimeoutMillis } = options;
  const dispatcher = dispatcherFor(options);
  const via = options.proxy === undefined ? "" : ` through the proxy ${new URL(options.proxy).host}`;
  const path = `${url.pathname}${url.search}`;
  const headers = [...options.headers].flat();
  const timeouts = { headersTimeout: idleTimeoutMillis, bodyTimeout: idleTimeoutMillis };

  const post = (body: Uint8Array, handler: EventStreamHandler): (() => void) => {
    const answer = new Answer(handler, `${url.origin}${via}`, idleTimeoutMillis * patienceWithKeepAlives);
    dispatcher.dispatch({ origin: url.origin, method: "POST", path, headers, body, ...timeouts }, answer);
    return () => answer.giveUp();
  };
  return { post, destroy: () => dispatcher.destroy() };
};

const dispatcherFor = ({ url, proxy }: EventStreamClientOptions): Dispatcher => {
  const settings = { connections: maxConnections, keepAliveTimeout: keepAliveMillis, allowH2: false };
  if (proxy === undefined) return new Pool(url.origin, { ...settings, connect: { timeout: connectTimeoutMillis } });
  return new ProxyAgent({
    ...settings,
    uri: proxy,
    connectTimeout: connectTimeoutMillis,
    // https is tunnelled; plain http is asked for in full, as proxies expect it.
    proxyTunnel: false,
    factory: (origin, given) => new Pool(origin, { ...given, ...settings }),
  });
};

/** One answer as undici tells of it: hands a stream on, gathers a failure. */
class Answer implements Dispatcher.DispatchHandler {
  readonly #handler: EventStreamHandler;
  readonly #origin: string;
  readonly #patienceMillis: number;
  #progressAt = performance.now();
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #status = 0;
  #isStream = false;
  #headers: FailureHeaders = {};
  #failure: Array<Uint8Array> = [];
  #bytes = 0;
  #lingering: NodeJS.Timeout | undefined;

  constructor(handler: EventStreamHandler, origin: string, patienceMillis: number) {
    this.#handler = handler;
    this.#origin = origin;
    this.#patienceMillis = patienceMillis;
  }

  giveUp(): void {
    this.#isOver = true;
    clearTimeout(this.#lingering);
    this.#controller?.abort(new errors.RequestAbortedError());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) this.giveUp();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | ReadonlyArray<string> | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    const type = textOf(headers["content-type"]) ?? "";
    // Servers that forget the type do stream; JSON and HTML never are a stream.
    this.#isStream = status < 300 && !/json|html/i.test(type);
    if (this.#isStream) return;
    this.#headers = failureHeaders(headers);
    this.#progressAt = performance.now();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#bytes += chunk.length;
    if (!this.#isStream) {
      this.#failure.push(chunk);
      const patienceMillis = Math.min(maxFailureMillis, this.#patienceMillis);
      if (this.#bytes > maxFailureBytes || performance.now() - this.#progressAt > patienceMillis)
        this.#fail(this.#problem());
    } else if (this.#bytes > maxReplyBytes)
      this.#fail({ reason: "bad-response", detail: `the reply is longer than ${maxReplyBytes} bytes` });
    else if (this.#handler.data(chunk)) this.#linger();
    else this.#lookForProgress();
  }

  // Without a timer: whatever keeps the connection alive comes again and again, so each time is one to look.
  #lookForProgress(): void {
    if (this.#isOver) return;
    const now = performance.now();
    if (this.#handler.hasProgressed()) this.#progressAt = now;
    else if (now - this.#progressAt > this.#patienceMillis)
      this.#fail({ reason: "timeout", detail: `${this.#origin} sent nothing of the reply for too long` });
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#lingering);
    if (this.#isStream) this.#handler.end();
    else this.#handler.problem(this.#problem());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#lingering);
    this.#handler.problem(problemOfConnection(error, this.#origin, this.#status > 0));
  }

  #linger(): void {
    this.#lingering ??= setTimeout(() => {
      if (this.#isOver) return;
      this.giveUp();
      this.#handler.end();
    }, lingerMillis);
  }

  #fail(problem: CallProblem): void {
    this.giveUp();
    this.#handler.problem(problem);
  }

  #problem(): CallProblem {
    const bytes = concatBytes(this.#failure, this.#bytes).subarray(0, maxFailureBytes);
    const body = new TextDecoder().decode(bytes);
    return this.#status < 300
      ? problemOfPlainAnswer(this.#status, body)
      : problemOfStatus(this.#status, body, this.#headers);
  }
}

const textOf = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof header === "string" ? header : header?.[0];

const failureHeaders = (headers: Record<string, string | ReadonlyArray<string> | undefined>): FailureHeaders => {
  const retryAfter = textOf(headers["retry-after"]);
  const retryAfterMillis = textOf(headers["retry-after-ms"]);
  const date = textOf(headers["date"]);
  const location = textOf(headers["location"]);
  return {
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(retryAfterMillis === undefined ? {} : { retryAfterMillis }),
    ...(date === undefined ? {} : { date }),
    ...(location === undefined ? {} : { location }),
  };
};

const problemOfPlainAnswer = (status: number, body: string): CallProblem => {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === "object" && value !== null && "error" in value) return problemOfError(value.error);
  } catch {
    // No JSON: the text itself is shown below.
  }
  return { reason: "bad-response", status, detail: `the server does not stream, it answered: ${tidy(body)}` };
};

const timeoutCodes: ReadonlySet<string> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
]);

const problemOfConnection = (error: Error, origin: string, hasAnswered: boolean): CallProblem => {
  const code = codeOf(error);
  const refused = /^Proxy (?:response \((\d+)\)|Authentication Required \((\d+)\))/.exec(error.message);
  if (refused !== null) return problemOfProxy(refused[1] ?? refused[2] ?? "", origin);
  if (timeoutCodes.has(code)) return { reason: "timeout", detail: `${origin} kept silent too long (${code})` };
  if (error instanceof errors.HTTPParserError)
    return { reason: "bad-response", detail: `${origin} does not speak HTTP as expected: ${tidy(error.message)}` };
  if (code.startsWith("UND_ERR_INVALID")) return { reason: "bad-request", detail: tidy(error.message) };
  const hint = hasAnswered ? "" : (hints.get(code) ?? "");
  const what = hasAnswered ? `the connection to ${origin} broke during the reply` : `cannot reach ${origin}`;
  return { reason: "network", detail: `${what}: ${tidy(error.message || code)}${hint}` };
};

const problemOfProxy = (status: string, origin: string): CallProblem =>
  status === "407"
    ? { reason: "auth", detail: `cannot reach ${origin}: it wants a user name and a password (407)` }
    : { reason: "network", detail: `cannot reach ${origin}: it refuses the connection (${status})` };

const hints: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", ". Is the server running, and is the base URL right?"],
  ["ENOTFOUND", ". Is the host name in the base URL right?"],
]);

const codeOf = (error: Error): string => {
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error.cause instanceof Error) return codeOf(error.cause);
  return error instanceof AggregateError && error.errors[0] instanceof Error ? codeOf(error.errors[0]) : "";
};
