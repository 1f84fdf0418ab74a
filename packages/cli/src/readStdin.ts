import * as Effect from "effect/Effect";

/** Standard input as text; undefined when it is larger than `maxBytes`, and the rest is not read. */
export const readStdin = (maxBytes: number): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    const chunks: Array<Buffer> = [];
    let size = 0;
    for await (const chunk of process.stdin) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxBytes) return undefined;
      chunks.push(bytes);
    }
    return Buffer.concat(chunks).toString("utf8");
  });
