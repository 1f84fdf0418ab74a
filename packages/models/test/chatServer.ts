import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type JsonObject } from "@kumiko/plugin-api";

/** What a test server was asked. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: JsonObject;
}

/** A real HTTP server on loopback that speaks the wire format as a test tells it. */
export interface ChatServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly asked: ReadonlyArray<Asked>;
  /** Connections accepted so far, and those still open. */
  readonly connections: () => { readonly accepted: number; readonly open: number };
}

export const chatServer = async (
  answer: (asked: Asked, response: ServerResponse) => void | Promise<void>,
): Promise<ChatServer> => {
  const asked: Array<Asked> = [];
  let accepted = 0;
  let open = 0;
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const entry = { path: request.url ?? "", headers: request.headers, body: isJsonObject(body) ? body : {} };
      asked.push(entry);
      void answer(entry, response);
    });
  });
  server.on("connection", (socket) => {
    accepted++;
    open++;
    socket.on("close", () => open--);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = addressOf(server.address());
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    connections: () => ({ accepted, open }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const addressOf = (address: AddressInfo | string | null): AddressInfo => {
  if (address === null || typeof address === "string") throw new Error("the test server has no port");
  return address;
};

/** One chunk of a reply as the wire has it. */
export const chunk = (delta: JsonObject, finish: string | null = null): string =>
  data({ id: "x", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] });

export const data = (value: JsonObject): string => `data: ${JSON.stringify(value)}\n\n`;

export const done = "data: [DONE]\n\n";

export const usageChunk = data({
  choices: [],
  usage: {
    prompt_tokens: 30,
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: 20 },
    completion_tokens_details: { reasoning_tokens: 2 },
  },
});

export const startStream = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
};

/** Sends a whole stream at once. */
export const stream = (response: ServerResponse, ...pieces: ReadonlyArray<string>): void => {
  startStream(response);
  response.end(pieces.join(""));
};
