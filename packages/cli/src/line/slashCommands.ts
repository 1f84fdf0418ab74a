import { nearest } from "@kumiko/settings";
import { exitCodes } from "../exitCodes.ts";
import { costWords, count, tokenWords } from "../usage/usageWords.ts";
import { proseRows } from "./columns.ts";
import type { Talk } from "./Talk.ts";

interface SlashCommand {
  readonly name: string;
  readonly usage?: string;
  readonly about: string;
  readonly run: (mode: Talk, argument: string) => Promise<void> | void;
}

/** Runs what begins with a slash. */
export const runSlashCommand = async (mode: Talk, text: string): Promise<void> => {
  const [, name = "", argument = ""] = /^\/(\S*)\s*([^]*)$/.exec(text) ?? [];
  const command = slashCommands.find(
    (one) => one.name === name || (name === "exit" && one.name === "quit") || (name === "?" && one.name === "help"),
  );
  if (command !== undefined) return command.run(mode, argument.trim());
  const like = nearest(name, slashCommandNames, 3);
  mode.note(`there is no command /${name}. ${like === undefined ? "/help lists them" : `Did you mean /${like}?`}`);
};

const later = (part: string) => (mode: Talk) => mode.note(`this build has no part for that yet: ${part}`);

const slashCommands: ReadonlyArray<SlashCommand> = [
  { name: "help", about: "this list, and the keys", run: (mode) => help(mode) },
  {
    name: "model",
    usage: "[name]",
    about: "which model is asked, or another one from the next prompt on",
    run: async (mode, name) => (await import("./switches.ts")).switchModel(mode, name),
  },
  {
    name: "mode",
    usage: "[plan|ask|accept-edits|auto]",
    about: "how much runs without a question",
    run: async (mode, name) => (await import("./switches.ts")).switchMode(mode, name),
  },
  { name: "compact", about: "shorten a long conversation", run: later("nothing shortens conversations") },
  { name: "todo", about: "the todo list of the model", run: (mode) => todo(mode) },
  { name: "cost", about: "tokens and costs of this session", run: async (mode) => cost(mode) },
  {
    name: "context",
    about: "what the model sees before the conversation, with estimated tokens",
    run: (mode) => context(mode),
  },
  {
    name: "resume",
    usage: "[session]",
    about: "the sessions of this folder, or another one",
    run: async (mode, id) => (await import("./sessionSwitches.ts")).resumeSession(mode, id),
  },
  {
    name: "rewind",
    usage: "[run] [conversation|files]",
    about: "the runs of this session, or take back one and all after it",
    run: async (mode, argument) => (await import("./sessionSwitches.ts")).rewindSession(mode, argument),
  },
  {
    name: "clear",
    about: "a new session, with an empty conversation",
    run: async (mode) => (await import("./sessionSwitches.ts")).clearSession(mode),
  },
  {
    name: "permissions",
    about: "the mode, your rules, and what was allowed for this session",
    run: (mode) => permissions(mode),
  },
  { name: "hooks", about: "programs of yours that are called on the way", run: later("there are no hooks") },
  { name: "expand", about: "the last call in full (Ctrl-O)", run: (mode) => mode.expand() },
  {
    name: "later",
    usage: "<prompt>",
    about: "a prompt for after all that is under way (Alt-Enter)",
    run: (mode, text) =>
      text === "" ? mode.note("/later <prompt>: what is to be done afterwards?") : mode.followUp(text),
  },
  { name: "quit", about: "end; the session is kept", run: (mode) => mode.quit(exitCodes.success) },
];

export const slashCommandNames: ReadonlyArray<string> = slashCommands.map(({ name }) => name);

const keys: ReadonlyArray<readonly [keys: string, what: string]> = [
  ["Enter", "send; while it works: a message for the next step"],
  ["Alt-Enter", "while it works: a prompt for afterwards"],
  ["Up, Esc", "on an empty line: take the last one in line back"],
  ["\\ Enter, Ctrl-J", "a line break; a paste keeps its own"],
  ["@path", "put a file in (Tab completes)"],
  ["!command", "run a command of your own; it passes the gate"],
  ["Ctrl-R", "search the history"],
  ["Ctrl-O", "the last call in full"],
  ["Ctrl-C", "clear the line; stop the run; twice: quit"],
  ["Ctrl-D", "quit"],
];

const help = (mode: Talk): void => {
  const table = (rows: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> => {
    const width = Math.max(...rows.map(([left]) => left.length));
    const columns = mode.format.columns();
    if (columns < width + 30) return rows.flatMap(([left, right]) => [`  ${left}`, `    ${right}`]);
    return rows.flatMap(([left, right]) =>
      proseRows(right, columns - width - 4).map((row, index) => `  ${(index === 0 ? left : "").padEnd(width)}  ${row}`),
    );
  };
  const commands = slashCommands.map(
    ({ about, name, usage }) => [`/${name}${usage === undefined ? "" : ` ${usage}`}`, about] as const,
  );
  mode.say(["", ...table(commands), ...(mode.format.isPlain ? [] : ["", ...table(keys)])].join("\n"));
};

const todo = (mode: Talk): void => {
  const { todo: items } = mode.lines.view;
  if (items === undefined || items.length === 0) return mode.note("the model keeps no todo list");
  const marks: Readonly<Record<string, string>> = { done: "[x]", completed: "[x]", in_progress: "[>]" };
  mode.say(items.map(({ status, text }) => `${marks[status] ?? "[ ]"} ${text.replaceAll("\n", " ")}`).join("\n"));
};

const cost = (mode: Talk): void => {
  const { costIsPartial, costUsd, usage } = mode.spent;
  const words = costWords({ costUsd, costIsPartial });
  mode.say(`Here: ${tokenWords(usage)}${words === undefined ? ", at a price that is not known" : `, ${words}`}`);
  const { id, type } = mode.settings.session;
  if (type !== "memory") mode.say(`All of the session: kumiko usage --session ${id}`);
};

const context = async (mode: Talk): Promise<void> => {
  const engine = await mode.engine();
  const parts = await engine.report(mode.playing());
  const total = parts.reduce((sum, { estimatedTokens }) => sum + estimatedTokens, 0);
  const width = Math.max(...parts.map(({ id }) => id.length), 5);
  const rows = parts.map(
    ({ estimatedTokens, id, kind }) => `${count(estimatedTokens).padStart(8)}  ${id.padEnd(width)}  ${kind}`,
  );
  const [{ contextWindowTokens }] = mode.settings.models;
  const last = mode.lines.run?.usage.inputTokens ?? 0;
  mode.say(
    [
      "Before the conversation, in estimated tokens:",
      ...rows,
      `${count(total).padStart(8)}  together${contextWindowTokens === undefined ? "" : `, of ${count(contextWindowTokens)} that the model can see`}`,
      ...(last === 0 ? [] : [`The last run sent ${count(last)} tokens in all of its calls.`]),
    ].join("\n"),
  );
};

const permissions = async (mode: Talk): Promise<void> => {
  const { grants } = await mode.engine();
  const { allow, ask, deny, mode: permissionMode } = mode.settings;
  const text = (rule: (typeof allow)[number]): string => (typeof rule === "string" ? rule : rule.rule);
  const list = (name: string, rules: ReadonlyArray<string>): ReadonlyArray<string> =>
    rules.length === 0 ? [] : [`${name}:`, ...rules.map((rule) => `  ${rule}`)];
  mode.say(
    [
      `Mode: ${permissionMode} (/mode changes it)`,
      ...list("Denied", deny.map(text)),
      ...list("Asked about", ask.map(text)),
      ...list("Allowed", allow.map(text)),
      ...list("Allowed since this began", grants.rules),
      "Where each comes from: kumiko config. What a command would get: kumiko permissions explain '…'",
    ].join("\n"),
  );
};
