import { constants } from "node:fs";
import { access, mkdir, open, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { loadParts, makeModel, modelFor } from "@kumiko/models";
import type { LanguageModel } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import { BadInput } from "./BadInput.ts";
import type { CommandLine } from "./command.ts";
import { readStdin } from "./readStdin.ts";

/** A command line that makes sense: everything found, nothing run. */
export interface Settings extends Pick<CommandLine, "allow" | "deny" | "maxTurns" | "mode" | "outputFormat"> {
  readonly prompt: string;
  readonly model: LanguageModel;
  /** Absolute, without symbolic links. */
  readonly cwd: string;
  readonly auditLog: string;
}

/** A prompt is typed or piped by a person; what is larger belongs into a file that the agent reads. */
const maxPromptBytes = 1024 * 1024;

/** Checks a command line; the first thing that does not fit is said. */
export const checkCommandLine = Effect.fnUntraced(function* (line: CommandLine): Effect.fn.Return<Settings, BadInput> {
  const { allow, deny, maxTurns, mode, outputFormat } = line;
  if (line.print === undefined)
    return yield* bad('there is nothing to do: give a prompt with -p "…", or see kumiko --help');
  if (maxTurns !== undefined && maxTurns < 1) return yield* bad(`--max-turns is ${maxTurns}; it must be 1 or more`);
  if (line.model !== undefined && line.model !== "rehearsal" && line.rehearsal !== undefined)
    return yield* bad("--rehearsal plays prepared parts and --model asks a model; give one of the two");
  const cwd = yield* folder(line.cwd ?? ".");
  const model = yield* modelOf(line);
  const prompt = yield* promptOf(line.print);
  const auditLog = yield* writable(resolve(line.auditLog ?? defaultAuditLog()));
  return { allow, deny, maxTurns, mode, outputFormat, prompt, model, cwd, auditLog };
});

const bad = (detail: string): Effect.Effect<never, BadInput> => Effect.fail(new BadInput({ detail }));

const promptOf = Effect.fnUntraced(function* (print: string): Effect.fn.Return<string, BadInput> {
  const prompt = print === "-" ? yield* readStdin(maxPromptBytes) : print;
  if (prompt === undefined || Buffer.byteLength(prompt) > maxPromptBytes)
    return yield* bad("the prompt is larger than 1 MB; put it into a file and ask for that file to be read");
  if (prompt.trim() === "") return yield* bad("the prompt is empty");
  return prompt;
});

const folder = (path: string): Effect.Effect<string, BadInput> =>
  Effect.tryPromise({
    try: async () => {
      const real = await realpath(path);
      if (!(await stat(real)).isDirectory()) throw new BadInput({ detail: `--cwd ${path}: it is not a folder` });
      await access(real, constants.R_OK | constants.X_OK);
      return real;
    },
    catch: (error) =>
      error instanceof BadInput
        ? error
        : new BadInput({
            detail: `--cwd ${path}: ${codeOf(error) === "ENOENT" ? "there is no such folder" : messageOf(error)}`,
          }),
  });

// Found out before anything runs: a run whose calls nobody writes down is not what was asked for.
const writable = (file: string): Effect.Effect<string, BadInput> =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const handle = await open(
        file,
        constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK,
        0o600,
      );
      const isFile = (await handle.stat()).isFile();
      await handle.close();
      if (!isFile) throw new Error("it is no regular file");
      return file;
    },
    catch: (error) =>
      new BadInput({
        detail: `the audit log ${file} cannot be written: ${messageOf(error)}. Name another one with --audit-log`,
      }),
  });

const modelOf = Effect.fnUntraced(function* (line: CommandLine): Effect.fn.Return<LanguageModel, BadInput> {
  // People who watch like to see words come; programs do not wait for them.
  const paceMillis = process.stderr.isTTY ? 12 : 0;
  if (line.rehearsal !== undefined) {
    const parts = yield* Effect.mapError(loadParts(line.rehearsal), (error) => new BadInput({ detail: error.message }));
    return makeModel({ type: "rehearsal" }, { parts, paceMillis });
  }
  const choice = yield* Effect.mapError(
    Effect.fromResult(modelFor(line.model, process.env)),
    (error) => new BadInput({ detail: error.message }),
  );
  return yield* Effect.try({
    try: () => makeModel(choice, { paceMillis }),
    catch: (error) => new BadInput({ detail: messageOf(error) }),
  });
});

const defaultAuditLog = (): string =>
  join(process.env["XDG_STATE_HOME"] || join(homedir(), ".local", "state"), "kumiko", "audit.jsonl");

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
