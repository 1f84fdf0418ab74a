import type { ContainerTool } from "./knowledge/containers.ts";
import { isOption } from "./Program.ts";
import type { ShellWord } from "./ShellWord.ts";
import { type Argv, type Unwrapped, unwrappedNothing } from "./Unwrapped.ts";

/** `docker exec`, `docker run`, `kubectl exec` and their like: the command that runs in the container. */
export const unwrapContainer = (argv: Argv, tool: ContainerTool): Unwrapped => {
  const from = subcommandEnd(argv, tool);
  if (from === undefined) return unwrappedNothing;
  const name = `${argv[0]?.text ?? ""} ${argv[from - 1]?.text ?? ""}`;
  const doubts: Array<string> = [];
  let entrypoint: ShellWord | undefined;
  let at = from;
  let hasTarget = false;
  for (; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined) break;
    const { text } = word;
    if (text === "--") {
      at++;
      break;
    }
    if (!isOption(word)) {
      if (word.isMany === true) doubts.push(`what ${name} runs is only known when the command runs`);
      if (hasTarget) break;
      hasTarget = true;
      continue;
    }
    if (!word.isStatic && word.isMany === true) doubts.push(`what ${name} runs is only known when the command runs`);
    if (text.startsWith("--entrypoint=")) entrypoint = { ...word, text: text.slice(13), shape: word.shape.slice(13) };
    else if (text === "--entrypoint") entrypoint = argv[at + 1];
    if (/^--?[A-Za-z][\w-]*=/.test(text) || isFlag(text, tool)) continue;
    if (tool.values.includes(text)) at++;
    else if (!tool.values.some((option) => option.length === 2 && text.startsWith(option)))
      doubts.push(`${name} has an option that is not known here: ${text}`);
  }
  const dashes = tool.hasDashes ? argv.findIndex((word) => word.text === "--") : -1;
  const rest = argv.slice(dashes < 0 ? at : dashes + 1);
  const inner = entrypoint === undefined || entrypoint.text === "" ? rest : [entrypoint, ...rest];
  return { ...unwrappedNothing, ...(inner.length === 0 ? {} : { inner }), doubts };
};

const isFlag = (text: string, tool: ContainerTool): boolean =>
  tool.flags.includes(text) ||
  (/^-[A-Za-z]+$/.test(text) && Array.from(text.slice(1)).every((letter) => tool.flags.includes(`-${letter}`)));

/** The index behind the subcommand, or undefined where it runs no command in a container. */
const subcommandEnd = (argv: Argv, tool: ContainerTool): number | undefined => {
  const names: Array<string> = [];
  for (let at = 1; at < argv.length && names.length < 2; at++) {
    const word = argv[at];
    if (word === undefined) break;
    if (isOption(word)) {
      if (tool.globalValues.includes(word.text)) at++;
      continue;
    }
    names.push(word.text);
    if (tool.subcommands.includes(names.join(" "))) return at + 1;
  }
  return undefined;
};
