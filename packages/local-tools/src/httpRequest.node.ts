import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ToolFailed } from "@kumiko/plugin-api";
import { errorCode } from "./fileFailure.ts";
import { checkedLookup, type HostCheck } from "./internal/checkedLookup.node.ts";

const maxRedirects = 5;
/** Not sent on to another host. */
const secretHeaders = /^(?:authorization|cookie|proxy-authorization|.*(?:token|key|secret|password).*)$/i;

/** A request over HTTP. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly timeoutMillis: number;
  /** Of the response's body, unpacked. */
  readonly maxBytes: number;
  /** Asked for each host a redirect leads to, and each inner address a name stands for. */
  readonly check: HostCheck;
}

/** What came back. */
export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly isCut: boolean;
  /** Where redirects led, in order. */
  readonly redirects: ReadonlyArray<string>;
}

/**
 * Sends a request and follows redirects, each looked at again. Any status is a response; what is none is a `ToolFailed`
 * that says whether the request may have had its effect.
 */
export const httpRequest = async (request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> => {
  const ends = AbortSignal.any([signal, AbortSignal.timeout(request.timeoutMillis)]);
  const redirects: Array<string> = [];
  let { body, headers, method, url } = request;
  for (;;) {
    const { message, location } = await send({ ...request, body, headers, method, url }, ends).catch(
      (error: unknown) => {
        throw failureOf(error, { ...request, method, url }, signal);
      },
    );
    if (location === undefined || redirects.length === maxRedirects) {
      const { bytes, isCut } = await bodyOf(message, request.maxBytes, ends).catch((error: unknown) => {
        throw failureOf(error, { ...request, method, url }, signal);
      });
      const { headers: found, statusCode = 0, statusMessage = "" } = message;
      return {
        status: statusCode,
        statusText: statusMessage,
        contentType: found["content-type"] ?? "",
        body: bytes,
        isCut,
        redirects,
      };
    }
    message.destroy();
    const next = new URL(location, url);
    if (!/^https?:$/.test(next.protocol))
      throw refused(`it is redirected to ${next.protocol}, which is no web address.`);
    if (!(await request.check(next.hostname)))
      throw refused(`it is redirected to ${next.host}, which this call may not talk to.`);
    const { statusCode = 0 } = message;
    // As browsers do.
    if (method !== "HEAD" && (statusCode === 303 || (statusCode < 303 && method === "POST"))) {
      method = "GET";
      body = undefined;
      headers = without(headers, /^content-/i);
    }
    if (next.origin !== url.origin) headers = without(headers, secretHeaders);
    url = next;
    redirects.push(url.href);
  }
};

const without = (headers: HttpRequest["headers"], names: RegExp): HttpRequest["headers"] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));

const refused = (detail: string): ToolFailed => new ToolFailed({ kind: "refused", detail });

interface Answer {
  readonly message: IncomingMessage;
  readonly location: string | undefined;
}

const send = ({ body, check, headers, method, url }: HttpRequest, signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const request = (url.protocol === "https:" ? secureRequest : plainRequest)(url, {
      method,
      signal,
      agent: false,
      // An address needs no look-up, and was put before the gate as it is.
      ...(isIP(host) === 0 ? { lookup: checkedLookup(check) } : {}),
      headers: {
        accept: "*/*",
        "accept-encoding": "gzip, br, deflate",
        "user-agent": "kumiko",
        ...headers,
        ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
      },
    });
    request.once("error", reject);
    request.once("response", (message) => {
      const { headers: found, statusCode = 0 } = message;
      const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
      resolve({ message, location: isRedirect ? found.location : undefined });
    });
    request.end(body);
  });

const bodyOf = async (
  message: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> => {
  const encoding = message.headers["content-encoding"]?.toLowerCase();
  const unpack =
    encoding === "gzip"
      ? createGunzip()
      : encoding === "br"
        ? createBrotliDecompress()
        : encoding === "deflate"
          ? createInflate()
          : undefined;
  const stream: Readable =
    unpack === undefined ? message : message.on("error", (error) => unpack.destroy(error)).pipe(unpack);
  const stop = (): void => void stream.destroy(new Error("it was stopped"));
  signal.addEventListener("abort", stop);
  const pieces: Array<Buffer> = [];
  let length = 0;
  try {
    for await (const piece of stream) {
      const bytes = Buffer.from(piece);
      length += bytes.length;
      pieces.push(bytes);
      // A bomb is not unpacked further than is shown.
      if (length > maxBytes) return { bytes: Buffer.concat(pieces).subarray(0, maxBytes), isCut: true };
    }
    return { bytes: Buffer.concat(pieces), isCut: false };
  } finally {
    signal.removeEventListener("abort", stop);
    stream.destroy();
    message.destroy();
  }
};

const failureOf = (error: unknown, { method, timeoutMillis, url }: HttpRequest, signal: AbortSignal): ToolFailed => {
  if (error instanceof ToolFailed) return error;
  const code = errorCode(error);
  const isTimeout = code === "ABORT_ERR" || (error instanceof Error && /aborted|stopped/.test(error.message));
  const reason = isTimeout
    ? signal.aborted
      ? "it was stopped"
      : `no whole answer within ${timeoutMillis} ms`
    : code === "ENOTFOUND" || code === "EAI_AGAIN"
      ? "there is no host of that name"
      : error instanceof Error
        ? error.message
        : String(error);
  const neverSent = ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"].includes(code);
  const isSafe = method === "GET" || method === "HEAD" || neverSent;
  return new ToolFailed({
    kind: isSafe && code !== "ENOTFOUND" ? "transient" : "failed",
    detail: `${method} ${url.host}: ${reason}${code === "" || isTimeout ? "" : ` (${code})`}.`,
    ...(isSafe ? {} : { hint: "Whether it had its effect is not known: find out before it is sent again." }),
  });
};
