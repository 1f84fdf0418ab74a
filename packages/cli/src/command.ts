import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { auditCommand } from "./auditCommand.ts";
import { configCommand } from "./configCommand.ts";
import { doctorCommand } from "./doctorCommand.ts";
import { initCommand } from "./initCommand.ts";
import { modelsCommand } from "./modelsCommand.ts";
import { permissionsCommand } from "./permissionsCommand.ts";
import { rewindCommand } from "./rewindCommand.ts";
import { sessionsCommand } from "./sessionsCommand.ts";
import { steeringCommands } from "./steeringCommands.ts";
import { usageCommand } from "./usageCommand.ts";

const flags = {
  print: Flag.String("print").pipe(
    Flag.withAlias("p"),
    Flag.withDescription("Run this prompt and print the answer; - reads it from standard input"),
    Flag.optional,
  ),
  image: Flag.String("image").pipe(
    Flag.withDescription("Show the model this PNG, JPEG, GIF or WebP with the prompt (may be repeated)"),
    Flag.atLeast(0),
  ),
  outputFormat: Flag.Literals("output-format", ["text", "json", "stream-json"]).pipe(
    Flag.withDescription("text: the answer; json: one object; stream-json: one event a line"),
    Flag.withDefault("text"),
  ),
  model: Flag.String("model").pipe(
    Flag.withAlias("m"),
    Flag.withDescription(
      "provider/name, provider:profile/name, <base URL>#<name>, or rehearsal; kumiko models lists them. Default: the provider whose key is set, else rehearsal",
    ),
    Flag.optional,
  ),
  fallback: Flag.String("fallback").pipe(
    Flag.withDescription(
      "A model that stands in when the other fails (may be repeated). Default: those of the user's models.yaml",
    ),
    Flag.atLeast(0),
  ),
  rehearsal: Flag.String("rehearsal").pipe(
    Flag.withDescription("Play the parts in this YAML file instead of asking a model"),
    Flag.optional,
  ),
  mode: Flag.Literals("mode", ["plan", "ask", "accept-edits", "auto"]).pipe(
    Flag.withDescription(
      "plan: read only; ask (default): writes need a yes; accept-edits: file writes in the folder are fine; auto: everything but what is forbidden",
    ),
    Flag.optional,
  ),
  allow: Flag.String("allow").pipe(
    Flag.withDescription("Allow what this rule matches, such as 'npm test*' (may be repeated)"),
    Flag.atLeast(0),
  ),
  deny: Flag.String("deny").pipe(
    Flag.withDescription("Refuse what this rule matches; beats every allowance (may be repeated)"),
    Flag.atLeast(0),
  ),
  cwd: Flag.String("cwd").pipe(Flag.withDescription("The folder to work in. Default: this one"), Flag.optional),
  maxTurns: Flag.Int("max-turns").pipe(
    Flag.withDescription("Model calls with tools, at most. Default: 100, 250 with tools that look at screens"),
    Flag.optional,
  ),
  continue: Flag.Boolean("continue").pipe(
    Flag.withAlias("c"),
    Flag.withDescription("Go on with the latest session of this folder"),
    Flag.withDefault(false),
  ),
  resume: Flag.String("resume").pipe(
    Flag.withDescription("Go on with this session: its id, or as much of it as is enough"),
    Flag.optional,
  ),
  fork: Flag.String("fork").pipe(
    Flag.withDescription("Begin a new session with the past of this one, which stays as it is"),
    Flag.optional,
  ),
  session: Flag.Boolean("session").pipe(
    Flag.withDescription("Keep the session, so that it can be continued; --no-session forgets it at the end"),
    Flag.withDefault(true),
  ),
  unattended: Flag.Literals("unattended", ["deny", "suspend", "wait"]).pipe(
    Flag.withDescription(
      "What becomes of a call that needs a yes where nobody can be asked: refuse it (default); save the session and end with 6 (default where it waits for an answer already); wait for kumiko answer",
    ),
    Flag.optional,
  ),
  questionTimeout: Flag.String("question-timeout").pipe(
    Flag.withDescription("How long a question waits before it counts as refused, such as 15m or 2h. Default: for ever"),
    Flag.optional,
  ),
  plain: Flag.Boolean("plain").pipe(
    Flag.withDescription("Plain lines at the terminal, for screen readers: nothing is redrawn, no colours"),
    Flag.withDefault(false),
  ),
  auditLog: Flag.String("audit-log").pipe(
    Flag.withDescription(
      "Where every proposed call is written down. Default: kumiko/audit.jsonl in the state folder of the user",
    ),
    Flag.optional,
  ),
};

/** What the command line says, before it is checked. */
export interface CommandLine {
  readonly print: string | undefined;
  /** Files of images that belong to the prompt. */
  readonly image: ReadonlyArray<string>;
  readonly outputFormat: "text" | "json" | "stream-json";
  readonly model: string | undefined;
  readonly fallback: ReadonlyArray<string>;
  readonly rehearsal: string | undefined;
  readonly mode: "plan" | "ask" | "accept-edits" | "auto" | undefined;
  readonly allow: ReadonlyArray<string>;
  readonly deny: ReadonlyArray<string>;
  readonly cwd: string | undefined;
  readonly maxTurns: number | undefined;
  readonly auditLog: string | undefined;
  readonly continue: boolean;
  readonly plain: boolean;
  readonly resume: string | undefined;
  readonly fork: string | undefined;
  /** False: it is forgotten at the end. */
  readonly session: boolean;
  readonly unattended: "deny" | "suspend" | "wait" | undefined;
  readonly questionTimeout: string | undefined;
}

export const kumiko = Command.make("kumiko", flags, (given) => {
  const line: CommandLine = {
    ...given,
    print: Option.getOrUndefined(given.print),
    model: Option.getOrUndefined(given.model),
    mode: Option.getOrUndefined(given.mode),
    rehearsal: Option.getOrUndefined(given.rehearsal),
    cwd: Option.getOrUndefined(given.cwd),
    maxTurns: Option.getOrUndefined(given.maxTurns),
    auditLog: Option.getOrUndefined(given.auditLog),
    resume: Option.getOrUndefined(given.resume),
    unattended: Option.getOrUndefined(given.unattended),
    fork: Option.getOrUndefined(given.fork),
    questionTimeout: Option.getOrUndefined(given.questionTimeout),
  };
  // What parses the command line is small; what runs an agent is loaded when one is to run.
  return Effect.promise(() => import("./checkCommandLine.ts")).pipe(
    Effect.flatMap(({ opensLineMode }) =>
      opensLineMode(line)
        ? Effect.flatMap(
            Effect.promise(() => import("./line/lineMode.ts")),
            ({ lineMode }) => lineMode(line),
          )
        : Effect.flatMap(
            Effect.promise(() => import("./printMode.ts")),
            ({ printMode }) => printMode(line),
          ),
    ),
  );
}).pipe(
  Command.withDescription(
    "Runs an agent on your own files. Every call it wants to make passes a gate; with a model elsewhere, what it reads is sent there.",
  ),
  Command.withSubcommands([
    sessionsCommand,
    ...steeringCommands,
    rewindCommand,
    permissionsCommand,
    modelsCommand,
    usageCommand,
    auditCommand,
    configCommand,
    initCommand,
    doctorCommand,
  ]),
  Command.withExamples([
    { command: "kumiko", description: "Talk with an agent in this folder; /help lists what else there is" },
    {
      command: 'kumiko -p "Collect every TODO comment into issues.md" --mode accept-edits',
      description: "Do a job and print the answer",
    },
    {
      command: 'kumiko -p "What does this project do?" --mode plan --model ollama/qwen3',
      description: "Look, but touch nothing",
    },
    { command: 'kumiko -c -p "Now sort it by author"', description: "Go on with the latest session of this folder" },
  ]),
);
