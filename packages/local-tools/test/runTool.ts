import { createHash } from "node:crypto";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type FileChange,
  type InspectedCall,
  type Json,
  type Recovered,
  type Tool,
  type ToolContext,
  type ToolFailed,
  type ToolOutput,
} from "@kumiko/plugin-api";
import { admittedForTest } from "@kumiko/plugin-api/testing";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";

/** What a session remembers between calls, and what a kernel tells a call. */
export interface Session {
  /** Digests by path: what the session knows of files. */
  readonly known: Map<string, string>;
  readonly changes?: ReadonlyArray<FileChange>;
  readonly progress?: (text: string) => void;
}

export const newSession = (): Session => ({ known: new Map() });

const contextOf = (cwd: string, session: Session): ToolContext => ({
  callId: "call",
  runId: "run",
  sessionKey: "session",
  cwd,
  permits: ({ key }) => Effect.succeed(!key.includes("forbidden")),
  knownDigest: (path) => session.known.get(path),
  changes: session.changes ?? [],
  progress: session.progress ?? (() => undefined),
});

const inspected = (tool: Tool, input: Json, cwd: string): InspectedCall => Result.getOrThrow(tool.inspect(input, cwd));

/** The effect of one call of a tool, as the kernel would run it: what the call saw or wrote is known afterwards. */
export const callOf = (
  tool: Tool,
  input: Json,
  cwd: string,
  session: Session = newSession(),
): Effect.Effect<ToolOutput, ToolFailed> => {
  const call = admittedForTest(tool.name, input);
  return Effect.tap(inspected(tool, input, cwd).execute(call, contextOf(cwd, session)), ({ files = [] }) =>
    Effect.sync(() => {
      for (const { digest, path } of files)
        if (digest === null) session.known.delete(path);
        else session.known.set(path, digest);
    }),
  );
};

/** One call from its preparation on, as a kernel runs it: inspected once, the changes written down in between. */
export const preparedCall = (
  tool: Tool,
  input: Json,
  cwd: string,
  session: Session,
  between: () => void = () => undefined,
): Effect.Effect<ToolOutput, ToolFailed> => {
  const call = admittedForTest(tool.name, input);
  const { execute, prepare } = inspected(tool, input, cwd);
  return Effect.flatMap(prepare?.(contextOf(cwd, session)) ?? Effect.succeed([]), (changes) => {
    between();
    return execute(call, contextOf(cwd, { ...session, changes }));
  });
};

export const run = async (tool: Tool, input: Json, cwd: string, session?: Session): Promise<string> =>
  (await Effect.runPromise(callOf(tool, input, cwd, session))).text;

export const failureOf = (tool: Tool, input: Json, cwd: string, session?: Session): Promise<ToolFailed> =>
  Effect.runPromise(Effect.flip(callOf(tool, input, cwd, session)));

/** What a call would change, found out right before it. */
export const prepared = (
  tool: Tool,
  input: Json,
  cwd: string,
  session: Session = newSession(),
): Effect.Effect<ReadonlyArray<FileChange>, ToolFailed> =>
  inspected(tool, input, cwd).prepare?.(contextOf(cwd, session)) ?? Effect.die("the tool prepares nothing");

/** Whether an earlier attempt happened, by what its `prepare` gave. Bytes are not handed on, as with a kernel. */
export const lookedUp = (
  tool: Tool,
  input: Json,
  cwd: string,
  changes: ReadonlyArray<FileChange>,
): Promise<Recovered> =>
  Effect.runPromise(
    inspected(tool, input, cwd).lookup?.(
      changes.map(({ after, before, path }) => ({ after, before, path })),
      contextOf(cwd, newSession()),
    ) ?? Effect.die("the tool looks nothing up"),
  );

export const digestOf = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** Lets a session know files as they are now, as reading them would. */
export const know = async (session: Session, ...paths: ReadonlyArray<string>): Promise<void> => {
  for (const path of paths) session.known.set(await realpath(path), digestOf(await readFile(path)));
};

/** A folder of its own for a test, gone afterwards. */
export interface TempFolder extends AsyncDisposable {
  readonly path: string;
  readonly at: (...names: ReadonlyArray<string>) => string;
}

export const tempFolder = async (): Promise<TempFolder> => {
  const path = await realpath(await mkdtemp(join(tmpdir(), "kumiko-tools-")));
  return {
    path,
    at: (...names) => join(path, ...names),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
};
