import { harmlessValues, leadingSettings, runningSettings } from "./knowledge/gitSettings.ts";
import { gitGlobalValues } from "./knowledge/wrappers.ts";
import { withoutPrefix } from "./internal/withoutPrefix.ts";
import type { ShellWord } from "./ShellWord.ts";
import { type Argv, type ScriptSource, type Unwrapped, unwrappedNothing } from "./Unwrapped.ts";

/** What Git runs because of settings on the command line: `git -c core.pager=… log`, `git -c alias.x=push x`. */
export const unwrapGit = (argv: Argv): Unwrapped => {
  const { command, settings } = settingsOf(argv);
  const code: Array<ShellWord> = [];
  const scripts: Array<ScriptSource> = [];
  const doubts: Array<string> = [];
  for (const { isEnvironment, word } of settings) {
    const equals = word.text.indexOf("=");
    const name = (equals < 0 ? word.text : word.text.slice(0, equals)).toLowerCase();
    const value = equals < 0 ? "" : word.text.slice(equals + 1);
    const runs = runningSettings.test(name);
    if ((equals < 0 && !word.isStatic) || leadingSettings.test(name) || (isEnvironment && runs))
      doubts.push(`a setting tells git what to run: ${word.text}`);
    else if (runs && !isEnvironment && !harmlessValues.test(value)) {
      code.push(equals < 0 ? word : withoutPrefix(word, equals + 1));
      scripts.push(
        name.startsWith("alias.")
          ? aliased(name, value, word, command)
          : { text: value.replace(/^!/, "") + (givenFiles.test(name) ? " $@" : ""), isStatic: word.isStatic },
      );
    }
  }
  return scripts.length + doubts.length === 0
    ? unwrappedNothing
    : { ...unwrappedNothing, language: "posix", scripts, code, doubts };
};

// These are given names, which may come from the repository: `git -c diff.external=git diff -- push`.
const givenFiles = /^(?:diff\.(?:external|.+\.(?:command|textconv))|core\.editor|sequence\.editor)$/;

// `!command` is a command of the shell, anything else one of Git's.
const aliased = (name: string, value: string, word: ShellWord, command: Argv): ScriptSource => {
  const rest = name === `alias.${command[0]?.text.toLowerCase() ?? ""}` ? command.slice(1) : [];
  const words = [value.startsWith("!") ? value.slice(1) : `git ${value}`, ...rest.map(({ source }) => source)];
  return { text: words.join(" "), isStatic: word.isStatic && rest.every(({ isStatic }) => isStatic) };
};

interface Settings {
  readonly settings: ReadonlyArray<{ readonly word: ShellWord; readonly isEnvironment: boolean }>;
  /** The sub-command and its arguments. */
  readonly command: Argv;
}

// Between `git` and its sub-command, and behind `git clone`.
const settingsOf = (argv: Argv): Settings => {
  const settings: Array<Settings["settings"][number]> = [];
  let command: Argv = [];
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined) break;
    const { text } = word;
    if (command.length === 0 && !text.startsWith("-")) {
      command = argv.slice(at);
      if (text !== "clone" && text !== "submodule") break;
    }
    const value = argv[at + 1];
    if ((text === "-c" || text === "--config") && value !== undefined)
      settings.push({ word: value, isEnvironment: false });
    else if (text === "--config-env" && value !== undefined) settings.push({ word: value, isEnvironment: true });
    else if (/^-c./.test(text)) settings.push({ word: withoutPrefix(word, 2), isEnvironment: false });
    else if (text.startsWith("--config=")) settings.push({ word: withoutPrefix(word, 9), isEnvironment: false });
    else if (text.startsWith("--config-env=")) settings.push({ word: withoutPrefix(word, 13), isEnvironment: true });
    if (gitGlobalValues.has(text)) at++;
  }
  return { settings, command };
};
