import { join, resolve } from "node:path";
import * as Effect from "effect/Effect";
import { BadInput } from "./BadInput.ts";
import { writableFile } from "./checkFolders.ts";
import { chooseModels, type Models } from "./chooseModels.ts";
import type { CommandLine } from "./command.ts";
import { oneLine } from "./printable.ts";
import { readStdin } from "./readStdin.ts";
import type { SessionInUse } from "./SessionInUse.ts";
import { type ChosenSession, chooseSession } from "./sessions/chooseSession.ts";
import { stateFolder } from "./stateFolder.ts";

/** A command line that makes sense: everything found, nothing run. */
export interface Settings
  extends ChosenSession, Pick<CommandLine, "allow" | "deny" | "maxTurns" | "mode" | "outputFormat"> {
  /** Undefined: a session goes on with what it left unfinished, and that is all. */
  readonly prompt: string | undefined;
  readonly models: Models;
  /** The model as it was named; undefined: by the environment. */
  readonly model: string | undefined;
  /** What becomes of a call that needs a yes where nobody can be asked. */
  readonly unattended: "deny" | "suspend" | "wait";
  readonly auditLog: string;
  /** Somebody is there to be asked. */
  readonly isAttended: boolean;
  readonly questionTimeoutMillis: number | undefined;
}

/** A prompt is typed or piped by a person; what is larger belongs into a file that the agent reads. */
const maxPromptBytes = 1024 * 1024;

/** Checks a command line; the first thing that does not fit is said. */
export const checkCommandLine = Effect.fnUntraced(function* (
  line: CommandLine,
): Effect.fn.Return<Settings, BadInput | SessionInUse> {
  const { allow, deny, maxTurns, mode, outputFormat } = line;
  const isAboutSession = line.continue || line.resume !== undefined || line.fork !== undefined;
  if (line.print === undefined && !isAboutSession)
    return yield* bad('there is nothing to do: give a prompt with -p "…", or see kumiko --help');
  if (maxTurns !== undefined && maxTurns < 1) return yield* bad(`--max-turns is ${maxTurns}; it must be 1 or more`);
  if (line.fallback.length > 0 && (line.model === "rehearsal" || line.rehearsal !== undefined))
    return yield* bad("--fallback stands in for a model, and a rehearsal needs none");
  if (line.model !== undefined && line.model !== "rehearsal" && line.rehearsal !== undefined)
    return yield* bad("--rehearsal plays prepared parts and --model asks a model; give one of the two");
  const questionTimeoutMillis =
    line.questionTimeout === undefined ? undefined : yield* durationOf(line.questionTimeout);
  const chosen = yield* chooseSession(line);
  // Whoever resumes without an answer must not throw away the question.
  const unattended = line.unattended ?? (chosen.session.isWaiting ? "suspend" : "deny");
  const models = yield* chooseModels(line);
  const prompt = line.print === undefined ? undefined : yield* promptOf(line.print);
  const auditLog = yield* writableFile(resolve(line.auditLog ?? join(stateFolder(), "audit.jsonl")));
  const isAttended = process.stdin.isTTY && process.stderr.isTTY;
  return {
    ...chosen,
    allow,
    deny,
    maxTurns,
    mode,
    outputFormat,
    unattended,
    questionTimeoutMillis,
    prompt,
    models,
    model: line.model,
    auditLog,
    isAttended,
  };
});

const bad = (detail: string): Effect.Effect<never, BadInput> => Effect.fail(new BadInput({ detail }));

const promptOf = Effect.fnUntraced(function* (print: string): Effect.fn.Return<string, BadInput> {
  const prompt = print === "-" ? yield* readStdin(maxPromptBytes) : print;
  if (prompt === undefined || Buffer.byteLength(prompt) > maxPromptBytes)
    return yield* bad("the prompt is larger than 1 MB; put it into a file and ask for that file to be read");
  if (prompt.trim() === "") return yield* bad("the prompt is empty");
  return prompt;
});

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `15m`, `2h`, `1d`. */
const durationOf = (text: string): Effect.Effect<number, BadInput> => {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const millis = Number(count) * (units[unit] ?? 0);
  return millis > 0
    ? Effect.succeed(millis)
    : bad(`--question-timeout is ${JSON.stringify(oneLine(text, 40))}; write a number and a unit: 90s, 15m, 2h, 1d`);
};
