import { createHash } from "node:crypto";
import { defineTool, type Resource, type Risk, type Tool, ToolFailed } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { htmlText } from "./HtmlText.ts";
import { type HttpResponse, httpRequest } from "./httpRequest.node.ts";
import { abortable } from "./internal/abortable.ts";
import { isBinary } from "./TextFile.node.ts";

const defaultTimeoutMillis = 30_000;
const maxTimeoutMillis = 300_000;
const spareMillis = 5000;
const maxBytes = 5 * 1024 * 1024;
/** Characters of a body that are shown. Symptom: the rest is cut, and said to be. */
const maxCharacters = 30_000;

const Input = Schema.Struct({
  url: Schema.String.check(Schema.isMaxLength(8192)).annotate({ description: "http: or https:." }),
  method: Schema.optionalKey(
    Schema.Literals(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]).annotate({
      description: "Default GET.",
    }),
  ),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  body: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1_000_000))),
  raw: Schema.optionalKey(Schema.Boolean.annotate({ description: "HTML as it came, not as text." })),
  timeoutMillis: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxTimeoutMillis })).annotate({
      description: `Default ${defaultTimeoutMillis}.`,
    }),
  ),
});
type Input = typeof Input.Type;

// What a request without a body asks for may still tell the host something: whether it may is the host's rule.
const isReading = ({ body, method = "GET" }: Input): boolean =>
  body === undefined && ["GET", "HEAD", "OPTIONS"].includes(method);

const riskOf = (input: Input): Risk => (isReading(input) ? "read" : "remote-write");

/** The resource that a web address is for the gate: its host. One that is no address asks in any case. */
export const hostResource = (url: string, mode: Resource["mode"]): Resource => ({
  key: `net:${URL.canParse(url) ? new URL(url).hostname : url.slice(0, 253)}`,
  mode,
});

/**
 * The tool `http`: one request, its answer as text. Hosts are the gate's to allow; each redirect and each inner address
 * that a name stands for is put before it again. Credentials go to the host they were given for only.
 */
export const httpTool = (): Tool =>
  defineTool({
    name: "http",
    description:
      "Sends an HTTP request and shows the answer: HTML as readable text with links, JSON indented, other text as it is, " +
      "the rest described. Follows 5 redirects. Shows 30000 characters. Any status is an answer, also 404 and 500.",
    input: Input,
    risk: riskOf,
    resources: (input) => [hostResource(input.url, isReading(input) ? "read" : "write")],
    effectKey: (input) =>
      `http:${input.method ?? "GET"}:${input.url}:${hash(JSON.stringify([input.headers, input.body]))}`,
    timeoutMillis: maxTimeoutMillis + spareMillis,
    execute: (input, { permits }) =>
      abortable(async (signal) => {
        const url = requestedUrl(input.url);
        const mode = isReading(input) ? "read" : "write";
        const start = performance.now();
        const response = await httpRequest(
          {
            url,
            method: input.method ?? "GET",
            headers: checkedHeaders(input.headers ?? {}),
            body: input.body,
            timeoutMillis: input.timeoutMillis ?? defaultTimeoutMillis,
            maxBytes,
            check: (host) => Effect.runPromise(permits({ key: `net:${host}`, mode })),
          },
          signal,
        );
        return shownResponse(response, url, performance.now() - start, input.raw ?? false);
      }),
  });

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A web address that can be asked. Fails with a `ToolFailed` that says what is wrong. */
export const requestedUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem =
    url === undefined
      ? "it is no web address"
      : !/^https?:$/.test(url.protocol)
        ? "only http: and https: can be asked"
        : url.username + url.password === ""
          ? undefined
          : "it holds a name or a password, which would stand in every log; use a header";
  if (url === undefined || problem !== undefined)
    throw new ToolFailed({ kind: "validation", detail: `url: ${problem ?? "it is no web address"}.` });
  return url;
};

// Those that frame the message are not the caller's.
const framing = /^(?:connection|content-length|transfer-encoding|host|upgrade|te|trailer|expect|accept-encoding)$/i;

const checkedHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  for (const [name, value] of Object.entries(headers)) {
    const problem = framing.test(name)
      ? "is set by the request itself"
      : !/^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name)
        ? "is no name of a header"
        : /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)
          ? undefined
          : "has a value with characters that no header can hold";
    if (problem !== undefined)
      throw new ToolFailed({ kind: "validation", detail: `headers: ${JSON.stringify(name.slice(0, 64))} ${problem}.` });
  }
  return headers;
};

const shownResponse = (response: HttpResponse, url: URL, millis: number, isRaw: boolean): string => {
  const { body, contentType, isCut, redirects, status, statusText } = response;
  const type = contentType.replace(/;.*$/s, "").trim().toLowerCase();
  const size = `${isCut ? "more than " : ""}${body.length} bytes`;
  const head = `HTTP ${status} ${printable(statusText)} (${[printable(type), size, `${Math.round(millis)} ms`].filter((part) => part !== "").join(", ")})`;
  const text = bodyText(response, type, redirects.at(-1) ?? url.href, isRaw);
  return [
    head,
    ...redirects.slice(-1).map((target) => `(redirected to ${target})`),
    ...(text.length > maxCharacters
      ? [wholeCharacters(text), `(cut: ${text.length - maxCharacters} more characters)`]
      : text === ""
        ? []
        : [text]),
    ...(isCut ? [`(only the first ${maxBytes / 1024 / 1024} MB were read)`] : []),
  ].join("\n");
};

const wholeCharacters = (text: string): string => {
  const cut = text.slice(0, maxCharacters);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
};

const bodyText = ({ body, contentType }: HttpResponse, type: string, base: string, isRaw: boolean): string => {
  if (body.length === 0) return "";
  const isText =
    type === "" ||
    /^text\/|[/+](?:json|xml|javascript|ecmascript|x-www-form-urlencoded|yaml|toml|x-sh|graphql)$/.test(type);
  const charset = /charset\s{0,9}=\s{0,9}"?([\w-]{1,40})/i.exec(contentType)?.[1];
  if ((!isText || isBinary(body)) && !/^utf-16/i.test(charset ?? "")) return "(its body is no text and is not shown)";
  const text = decoded(body, charset);
  if (isRaw) return printable(text);
  if (type.endsWith("html") || type === "application/xhtml+xml") return printable(htmlText(text, base));
  if (type.endsWith("json")) return printable(indented(text));
  return printable(text);
};

const decoded = (bytes: Buffer, charset: string | undefined): string => {
  try {
    return new TextDecoder(charset ?? "utf-8").decode(bytes);
  } catch {
    // A name that nobody knows.
    return new TextDecoder().decode(bytes);
  }
};

const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Cut, or no JSON after all.
    return text;
  }
};

const printable = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll(/[^\P{Cc}\n\t]/gu, "\ufffd");
