import { join, resolve } from "node:path";
import * as Effect from "effect/Effect";
import { BadInput } from "./BadInput.ts";
import { writableFile } from "./checkFolders.ts";
import type { ImagePart } from "@kumiko/plugin-api";
import type { PermissionMode } from "@kumiko/permission-engine";
import { chooseModels, type Models } from "./chooseModels.ts";
import type { CommandLine } from "./command.ts";
import type { ListValues } from "./config/Config.ts";
import { flagLayer } from "./config/flagLayer.ts";
import { ignoredLines } from "./config/configLines.ts";
import { readConfig } from "./config/readConfig.ts";
import { durationMillis } from "./duration.ts";
import { readStdin } from "./readStdin.ts";
import type { SessionInUse } from "./SessionInUse.ts";
import { type ChosenSession, chooseSession } from "./sessions/chooseSession.ts";
import { stateFolder } from "./stateFolder.ts";

/** A command line that makes sense: everything found, nothing run. */
export interface Settings extends Omit<ChosenSession, "notice">, ListValues, Pick<CommandLine, "outputFormat"> {
  readonly mode: PermissionMode;
  readonly maxTurns: number | undefined;
  /** What somebody should know who did not ask for it. */
  readonly notices: ReadonlyArray<string>;
  /** Undefined: a session goes on with what it left unfinished, and that is all. */
  readonly prompt: string | undefined;
  /** What belongs to the prompt. */
  readonly images: ReadonlyArray<ImagePart>;
  readonly models: Models;
  /** The model as the command line names it; undefined: whoever goes on need not name it either. */
  readonly model: string | undefined;
  /** What becomes of a call that needs a yes where nobody can be asked. */
  readonly unattended: "deny" | "suspend" | "wait";
  readonly auditLog: string;
  /** Somebody is there to be asked. */
  readonly isAttended: boolean;
  readonly questionTimeoutMillis: number | undefined;
  /** No redrawing, no colours. */
  readonly plain: boolean;
}

/** Whether somebody sits at a terminal and gave no prompt: a conversation is meant. */
export const opensLineMode = ({ outputFormat, print }: Pick<CommandLine, "outputFormat" | "print">): boolean =>
  print === undefined && outputFormat === "text" && process.stdin.isTTY && process.stdout.isTTY;

/** A prompt is typed or piped by a person; what is larger belongs into a file that the agent reads. */
const maxPromptBytes = 1024 * 1024;

/** Checks a command line; the first thing that does not fit is said. */
export const checkCommandLine = Effect.fnUntraced(function* (
  line: CommandLine,
): Effect.fn.Return<Settings, BadInput | SessionInUse> {
  const isAboutSession = line.continue || line.resume !== undefined || line.fork !== undefined;
  if (line.print === undefined && !isAboutSession && !opensLineMode(line))
    return yield* bad('there is nothing to do: give a prompt with -p "…", or see kumiko --help');
  if (line.image.length > 0 && line.print === undefined)
    return yield* bad("--image belongs to a prompt: give one with -p; in a conversation, @path shows an image");
  if (line.fallback.length > 0 && (line.model === "rehearsal" || line.rehearsal !== undefined))
    return yield* bad("--fallback stands in for a model, and a rehearsal needs none");
  if (line.model !== undefined && line.model !== "rehearsal" && line.rehearsal !== undefined)
    return yield* bad("--rehearsal plays prepared parts and --model asks a model; give one of the two");
  const flags = yield* flagLayer(line);
  const { notice, ...chosen } = yield* chooseSession(line);
  const { ignored, values } = yield* readConfig(chosen.cwd, [flags]);
  const { allow, ask, deny, hosts, maxTurns, mode = "ask", plain = false, questionTimeout, workspaceRoots } = values;
  // Whoever resumes without an answer must not throw away the question.
  const unattended = values.unattended ?? (chosen.session.isWaiting ? "suspend" : "deny");
  const models = yield* chooseModels({ ...line, model: values.model });
  const prompt = line.print === undefined ? undefined : yield* promptOf(line.print);
  const images = line.image.length === 0 ? [] : yield* imagesIn(line.image);
  const auditLog = yield* writableFile(resolve(values.auditLog ?? join(stateFolder(), "audit.jsonl")));
  const isAttended = process.stdin.isTTY && process.stderr.isTTY;
  return {
    ...chosen,
    allow,
    ask,
    deny,
    hosts,
    workspaceRoots,
    maxTurns,
    mode,
    outputFormat: line.outputFormat,
    unattended,
    questionTimeoutMillis: questionTimeout === undefined ? undefined : durationMillis(questionTimeout),
    prompt,
    images,
    models,
    model: line.model,
    auditLog,
    isAttended,
    plain,
    notices: [...(notice === undefined ? [] : [notice]), ...ignoredLines(ignored)],
  };
});

const bad = (detail: string): Effect.Effect<never, BadInput> => Effect.fail(new BadInput({ detail }));

const imagesIn = (paths: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<ImagePart>, BadInput> =>
  Effect.flatMap(
    Effect.promise(() => import("./imageFile.ts")),
    ({ readImages }) => readImages(paths),
  );

const promptOf = Effect.fnUntraced(function* (print: string): Effect.fn.Return<string, BadInput> {
  const prompt = print === "-" ? yield* readStdin(maxPromptBytes) : print;
  if (prompt === undefined || Buffer.byteLength(prompt) > maxPromptBytes)
    return yield* bad("the prompt is larger than 1 MB; put it into a file and ask for that file to be read");
  if (prompt.trim() === "") return yield* bad("the prompt is empty");
  return prompt;
});
