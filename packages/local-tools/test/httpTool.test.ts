import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Result from "effect/Result";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpTool } from "../src/httpTool.node.ts";
import { isInside } from "../src/internal/checkedLookup.node.ts";
import { callOf, failureOf, run } from "./runTool.ts";

const tool = httpTool();
let origin = "";
let port = 0;
const seen: Array<{ readonly method: string; readonly headers: IncomingMessage["headers"]; readonly body: string }> =
  [];

const send = (
  response: ServerResponse,
  type: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(200, { "content-type": type, ...headers });
  response.end(body);
};
const pages: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  "/html": (response) =>
    send(response, "text/html; charset=utf-8", "<title>Page</title><p>Hello <a href='/next'>there</a>"),
  "/latin1": (response) => send(response, "text/plain; charset=iso-8859-1", Buffer.from("caf\xe9", "latin1")),
  "/json": (response) => send(response, "application/json", '{"a":[1,2]}'),
  "/binary": (response) => send(response, "application/octet-stream", Buffer.from([0, 1, 2])),
  "/gzip": (response) => send(response, "text/plain", gzipSync("unpacked"), { "content-encoding": "gzip" }),
  "/brotli": (response) => send(response, "text/plain", brotliCompressSync("unpacked"), { "content-encoding": "br" }),
  "/broken": (response) => send(response, "text/plain", "no gzip", { "content-encoding": "gzip" }),
  "/bomb": (response) =>
    send(response, "text/plain", gzipSync(Buffer.alloc(100_000_000, "a")), { "content-encoding": "gzip" }),
  "/long": (response) => send(response, "text/plain", "x".repeat(40_000)),
  "/control": (response) => send(response, "text/plain", "a\u001b[31mb\u0000c"),
  "/missing": (response) => {
    response.writeHead(404, "Not Found", { "content-type": "text/plain" });
    response.end("nothing here");
  },
  "/redirect": (response) => response.writeHead(302, { location: "/html" }).end(),
  "/loop": (response) => response.writeHead(302, { location: "/loop" }).end(),
  "/metadata": (response) => response.writeHead(302, { location: "http://169.254.169.254.forbidden.example/" }).end(),
  "/to-file": (response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  "/other-origin": (response) => response.writeHead(307, { location: `http://localhost:${port}/echo` }).end(),
  "/see-other": (response) => response.writeHead(303, { location: "/echo" }).end(),
  "/slow": () => undefined,
  "/endless": (response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const timer = setInterval(() => response.write("more\n"), 5);
    response.on("close", () => clearInterval(timer));
  },
  "/echo": (response, request) => send(response, "text/plain", `${request.method} ${seen.at(-1)?.body ?? ""}`),
};
const server = createServer((request, response) => {
  const pieces: Array<Buffer> = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    seen.push({ method: request.method ?? "", headers: request.headers, body: Buffer.concat(pieces).toString() });
    const page = pages[request.url ?? ""];
    if (page === undefined) response.end();
    else page(response, request);
  });
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = portOf(server.address());
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" ? (address?.port ?? 0) : 0;
const get = async (path: string, more: Record<string, string | boolean | number> = {}): Promise<string> =>
  (await run(tool, { url: origin + path, ...more }, "/")).replace(/, \d+ ms\)/, ")");
const failure = async (path: string, more: Record<string, string | number> = {}) =>
  failureOf(tool, { url: path.startsWith("/") ? origin + path : path, ...more }, "/");

describe("http", () => {
  it("shows answers by what they are", async () => {
    expect(await get("/html")).toBe(`HTTP 200 OK (text/html, 53 bytes)\nPage\n\nHello [there](${origin}/next)`);
    expect(await get("/html", { raw: true })).toContain("<title>Page</title>");
    expect(await get("/json")).toContain('\n{\n  "a": [\n    1,\n    2\n  ]\n}');
    expect(await get("/latin1")).toContain("\ncaf\u00e9");
    expect(await get("/binary")).toBe(
      "HTTP 200 OK (application/octet-stream, 3 bytes)\n(its body is no text and is not shown)",
    );
    expect(await get("/missing")).toBe("HTTP 404 Not Found (text/plain, 12 bytes)\nnothing here");
    expect(await get("/control")).toMatch(/no text/);
    expect(await get("/html", { method: "HEAD" })).toBe("HTTP 200 OK (text/html, 0 bytes)");
  });

  it("unpacks what is packed, no further than is shown", async () => {
    expect(await get("/gzip")).toContain("\nunpacked");
    expect(await get("/brotli")).toContain("\nunpacked");
    expect((await failure("/broken")).message).toMatch(/incorrect header/);
    const bomb = await get("/bomb");
    expect(bomb).toMatch(/more than 5242880 bytes[^]*\(cut: \d+ more characters\)\n\(only the first 5 MB were read\)$/);
    expect(bomb.length).toBeLessThan(31_000);
    expect(await get("/long")).toMatch(/x\n\(cut: 10000 more characters\)$/);
  });

  it("sends what it is told to, and takes no header that frames the message or breaks out of it", async () => {
    expect(await get("/echo", { method: "POST", body: "hello" })).toContain("\nPOST hello");
    await run(tool, { url: `${origin}/echo`, headers: { Authorization: "Bearer s3cret" } }, "/");
    expect(seen.at(-1)?.headers.authorization).toBe("Bearer s3cret");
    for (const headers of [{ Host: "x" }, { "Content-Length": "1" }, { "a b": "x" }, { a: "x\r\nb: y" }]) {
      const problem = await failureOf(tool, { url: origin, headers }, "/");
      expect(problem).toMatchObject({ kind: "validation" });
      expect(problem.message).not.toContain("x\r\n");
    }
  });

  it("follows redirects, each put before the gate, and no secrets with them", async () => {
    expect(await get("/redirect")).toMatch(/^HTTP 200 OK .*\n\(redirected to http:\/\/127.0.0.1:\d+\/html\)\nPage/);
    expect(await get("/loop")).toContain("HTTP 302");
    expect((await failure("/metadata")).message).toMatch(/redirected to 169.*may not talk to/);
    expect((await failure("/to-file")).message).toMatch(/file:, which is no web address/);
    await run(
      tool,
      {
        url: `${origin}/other-origin`,
        method: "POST",
        body: "b",
        headers: { authorization: "s3cret", "x-api-key": "k", "x-plain": "p" },
      },
      "/",
    );
    expect(seen.at(-1)).toMatchObject({ method: "POST", body: "b", headers: { "x-plain": "p" } });
    expect(seen.at(-1)?.headers).not.toHaveProperty("authorization");
    expect(seen.at(-1)?.headers).not.toHaveProperty("x-api-key");
    expect(await get("/see-other", { method: "POST", body: "b" })).toContain("\nGET ");
  });

  it("puts the addresses that names stand for before the gate as well", async () => {
    // The gate of this test forbids nothing; one that does is asked for the address behind the name.
    expect(await run(tool, { url: `http://localhost:${port}/json` }, "/")).toContain("HTTP 200");
    const asked: Array<string> = [];
    const guarded = httpTool();
    const call = Result.getOrThrow(guarded.inspect({ url: `http://localhost:${port}/json` }, "/"));
    expect(call.resources).toEqual([{ key: "net:localhost", mode: "read" }]);
    const { admittedForTest } = await import("@kumiko/plugin-api/testing");
    const refused = await Effect.runPromise(
      Effect.flip(
        call.execute(admittedForTest("http", { url: `http://localhost:${port}/json` }), {
          callId: "c",
          runId: "r",
          sessionKey: "s",
          cwd: "/",
          permits: ({ key }) =>
            Effect.sync(() => {
              asked.push(key);
              return false;
            }),
          knownDigest: () => undefined,
          changes: [],
          progress: () => undefined,
        }),
      ),
    );
    expect(refused.message).toMatch(/localhost leads to \S+, which this call may not talk to/);
    expect(asked.every((key) => key === "net:127.0.0.1" || key === "net:::1")).toBe(true);
    expect(asked).not.toEqual([]);
  });

  it("knows the addresses that are not of the internet at large", () => {
    for (const address of [
      "127.0.0.1",
      "10.1.2.3",
      "172.31.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.100.100.200",
      "168.63.129.16",
      "0.0.0.0",
      "192.0.0.192",
      "::1",
      "::",
      "fe80::1",
      "fd00:ec2::254",
      "::ffff:169.254.169.254",
      "64:ff9b::a9fe:a9fe",
      "2002:a9fe:a9fe::1",
    ])
      expect([address, isInside(address)]).toEqual([address, true]);
    for (const address of ["1.1.1.1", "93.184.216.34", "172.32.0.1", "2606:4700::1111"])
      expect([address, isInside(address)]).toEqual([address, false]);
  });

  it("is judged by its host, and as more than reading where it sends something", () => {
    const call = (input: Record<string, string>) => Result.getOrThrow(tool.inspect(input, "/"));
    expect(call({ url: "https://API.example.com:8443/x" })).toMatchObject({
      risk: "read",
      resources: [{ key: "net:api.example.com", mode: "read" }],
    });
    expect(call({ url: "https://a.example", method: "DELETE" })).toMatchObject({
      risk: "remote-write",
      recovery: "ask",
      resources: [{ key: "net:a.example", mode: "write" }],
    });
    expect(call({ url: "http://0xA9FEA9FE/" }).resources).toEqual([{ key: "net:169.254.169.254", mode: "read" }]);
    expect(call({ url: "nonsense" }).resources).toEqual([{ key: "net:nonsense", mode: "read" }]);
  });

  it("says what is wrong with an address", async () => {
    expect((await failure("nonsense")).message).toMatch(/no web address/);
    expect((await failure("ftp://a.example/")).message).toMatch(/only http/);
    expect((await failure("https://me:secret@a.example/")).message).toMatch(/a name or a password/);
    expect((await failure("http://no-such-host.invalid/")).message).toMatch(/no host of that name/);
  });

  it("ends when the time is over or the call is interrupted, and says what may have happened", async () => {
    expect((await failure("/slow", { timeoutMillis: 50 })).message).toMatch(/no whole answer within 50 ms/);
    expect((await failure("/endless", { timeoutMillis: 50 })).message).toMatch(/no whole answer within 50 ms/);
    const lost = await failure("/slow", { method: "POST", body: "x", timeoutMillis: 50 });
    expect(lost.message).toMatch(/Whether it had its effect is not known/);
    const fiber = Effect.runFork(callOf(tool, { url: `${origin}/slow` }, "/"));
    await new Promise((resolve) => setTimeout(resolve, 30));
    await Effect.runPromise(Fiber.interrupt(fiber));
    const closed = createSocketServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const free = portOf(closed.address());
    closed.close();
    await once(closed, "close");
    const refused = await failure(`http://127.0.0.1:${free}/`, { method: "POST", body: "x" });
    expect(refused.message).toMatch(/ECONNREFUSED/);
    expect(refused.kind).toBe("transient");
  });
});
