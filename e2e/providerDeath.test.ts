import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modelServer, type ModelServer, type ScriptedReply, type WireFormat } from "@kumiko/models/testing";
import { isJsonObject } from "@kumiko/plugin-api";
import { afterAll, describe, expect, it } from "vitest";
import { cleanUp, ended, type Ended, folder, start } from "../packages/cli/test/support.ts";

/** A job of fifteen turns: each writes a file, the last one answers. */
const files = 14;
/** The model call at which the provider dies; the turns before it have each written their file. */
const diesAt = 12;
const prompt = "Write all the parts.";
const answer = "All parts are written.";
const nameOf = (part: number): string => `part-${part}.txt`;
const parts = (from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: to - from + 1 }, (_, at) => nameOf(from + at));

/** What comes next follows from the latest part that the conversation tells of. */
const script = ({ body }: { readonly body: unknown }): ScriptedReply => {
  const told = [...JSON.stringify(body).matchAll(/part-(\d+)\.txt/g)].map(([, part]) => Number(part));
  const next = Math.max(0, ...told) + 1;
  return next > files
    ? { text: answer }
    : {
        reasoning: "On to the next.",
        text: "I write the next part.",
        calls: [{ name: "file_write", input: { path: nameOf(next), content: `${next}\n` }, id: `write_${next}` }],
      };
};

/** A server that answers so far and then no more: with 401 for ever, or not at all. */
const mortal = async (death: "401" | "gone"): Promise<ModelServer> => {
  const server = await modelServer({
    script: (asked) => {
      if (death === "gone" && server.asked.length === diesAt) void server[Symbol.asyncDispose]();
      return script(asked);
    },
    ...(death === "401"
      ? {
          faults: [
            ...Array.from({ length: diesAt - 1 }, () => undefined),
            ...Array.from({ length: 20 }, () => "status-401"),
          ],
        }
      : {}),
  });
  return server;
};

// Timers of a second and more run a hundred times faster in these processes: the waits before a server counts as gone
// are a minute and a half.
const hasty = `data:text/javascript,const{setTimeout:t}=globalThis;globalThis.setTimeout=(f,ms,...a)=>t(f,ms>=500?ms/100:ms,...a)`;

interface Side {
  readonly wire: WireFormat;
  readonly server: ModelServer;
}

/** A home whose models.yaml knows both servers, and a folder to work in. */
const workplace = (a: Side, b: Side) => {
  const home = folder();
  const cwd = folder();
  mkdirSync(join(home, ".config", "kumiko"), { recursive: true });
  const provider = (id: string, { server, wire }: Side): string =>
    `  ${id}: { baseUrl: "${wire === "anthropic" ? server.origin : server.baseUrl}", wire: ${wire} }\n`;
  writeFileSync(
    join(home, ".config", "kumiko", "models.yaml"),
    `providers:\n${provider("first", a)}${provider("second", b)}`,
  );
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), NODE_OPTIONS: `--import=${hasty}` };
  const state = join(home, "state", "kumiko");
  return {
    kumiko: (...args: ReadonlyArray<string>): Promise<Ended> =>
      ended(start(["--cwd", cwd, "--mode", "accept-edits", ...args], env)),
    sessionId: (): string =>
      readdirSync(join(state, "sessions"))
        .find((name) => name.endsWith(".db"))
        ?.slice(0, -3) ?? "none",
    written: (): ReadonlyArray<string> => readdirSync(cwd).toSorted(),
    contentOf: (name: string): string => readFileSync(join(cwd, name), "utf8"),
    /** Paths that the audit log says were written, in order. */
    audited: (): ReadonlyArray<unknown> =>
      readFileSync(join(state, "audit.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line))
        .filter(isJsonObject)
        .filter(({ disposition, tool }) => disposition === "executed" && tool === "file_write")
        .map(({ input }) => (isJsonObject(input) ? input["path"] : undefined)),
  };
};

/** Each part is there, as it should be, and was written exactly once. */
const checkFinished = ({ audited, contentOf, written }: ReturnType<typeof workplace>): void => {
  expect(written()).toEqual(parts(1, files).toSorted());
  for (const [at, name] of parts(1, files).entries()) expect(contentOf(name)).toBe(`${at + 1}\n`);
  expect(audited()).toEqual(parts(1, files));
};

describe("a provider that dies in the middle of a job", { timeout: 90_000 }, () => {
  afterAll(cleanUp);

  it.each([
    ["401", "responses", "anthropic"],
    ["gone", "anthropic", "chat"],
  ] as const)(
    "(%s) leaves what is done, and another on another wire finishes it: %s, then %s",
    async (death, from, to) => {
      await using a = await mortal(death);
      await using b = await modelServer({ script });
      const place = workplace({ wire: from, server: a }, { wire: to, server: b });
      const first = await place.kumiko("-p", prompt, "--model", "first/big");
      expect(first.code).toBe(1);
      for (const name of parts(1, diesAt - 1)) expect(first.stdout).toContain(`- file_write {"path":"${name}"`);
      for (const name of parts(diesAt, files)) expect(first.stdout).not.toContain(name);
      expect(first.stdout).toContain(`Not done: "${prompt}" has no final answer.`);
      expect(place.audited()).toEqual(parts(1, diesAt - 1));

      const second = await place.kumiko("--resume", place.sessionId(), "-p", "go on", "--model", "second/other");
      expect(second).toMatchObject({ code: 0, stdout: `${answer}\n` });
      expect(b.asked.map(({ wire }) => wire)).toEqual(Array.from({ length: files - diesAt + 2 }, () => to));
      checkFinished(place);
    },
  );

  it.each([
    ["401", "chat", "responses"],
    ["gone", "responses", "anthropic"],
  ] as const)("(%s) is replaced by the fallback within the run: %s by %s", async (death, from, to) => {
    await using a = await mortal(death);
    await using b = await modelServer({ script });
    const place = workplace({ wire: from, server: a }, { wire: to, server: b });
    const done = await place.kumiko("-p", prompt, "--model", "first/big", "--fallback", "second/other");
    expect(done).toMatchObject({ code: 0, stdout: `${answer}\n` });
    expect(b.asked).toHaveLength(files - diesAt + 2);
    checkFinished(place);
  });
});
