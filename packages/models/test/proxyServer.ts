import { createServer, request } from "node:http";
import { connect } from "node:net";

/** A forward proxy on loopback, as strict as a test wants it. */
export interface ProxyServer extends AsyncDisposable {
  readonly url: string;
  /** What it was asked for: `CONNECT host:port` or `POST http://…`, with the authorization it was shown. */
  readonly asked: ReadonlyArray<{ readonly line: string; readonly authorization: string | undefined }>;
}

/** Hosts of `routes` are reached at the port given there, whatever they would resolve to. */
export const proxyServer = async (
  routes: Readonly<Record<string, number>>,
  refuseWith?: number,
): Promise<ProxyServer> => {
  const asked: Array<{ line: string; authorization: string | undefined }> = [];
  const server = createServer((incoming, response) => {
    const target = new URL(incoming.url ?? "");
    asked.push({ line: `${incoming.method} ${target.href}`, authorization: incoming.headers["proxy-authorization"] });
    if (refuseWith !== undefined) {
      response.writeHead(refuseWith).end("no");
      return;
    }
    const onward = request(
      {
        port: routes[target.hostname] ?? 1,
        host: "127.0.0.1",
        method: "POST",
        path: target.pathname,
        headers: incoming.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, socket) => {
    asked.push({ line: `CONNECT ${incoming.url}`, authorization: incoming.headers["proxy-authorization"] });
    socket.on("error", () => socket.destroy());
    if (refuseWith !== undefined) {
      socket.end(`HTTP/1.1 ${refuseWith} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const onward = connect(routes[incoming.url?.split(":")[0] ?? ""] ?? 1, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
