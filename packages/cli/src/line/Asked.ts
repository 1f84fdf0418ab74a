import { homedir } from "node:os";
import { previewFileCall } from "@kumiko/local-tools";
import { commandPolicy, explainCommand, explanationText, proposeCallRules } from "@kumiko/permission-engine";
import type { Question } from "@kumiko/runtime-api";
import type { Settings } from "../checkCommandLine.ts";
import { configFiles } from "../config/configFiles.ts";
import { messageOf } from "../messageOf.ts";
import { oneLine } from "../printable.ts";
import { questionLines, wrapped } from "../questionLines.ts";
import { shortFolder } from "../sessions/words.ts";
import { proseRows } from "./columns.ts";
import { diffLines } from "./diffLines.ts";
import type { Style } from "./style.ts";

/** A question as it is put: what would happen, and what may be answered. */
export interface Asked {
  readonly question: Question;
  /** The heading and as much of the call as is shown at once. */
  readonly lines: ReadonlyArray<string>;
  /** All of it, where that is more. */
  readonly all: ReadonlyArray<string> | undefined;
  /** What "this session" and "always" would allow; empty: they are not offered. */
  readonly rules: ReadonlyArray<string>;
  /** What the gate makes of it, part by part; undefined: it runs no command. */
  readonly explanation: string | undefined;
}

/** Lines of a call that are shown before somebody asks for all. */
const shownLines = 16;

/** Prepares a question for a person. Files are looked at, nothing is changed. */
export const askedOf = async (
  question: Question,
  settings: Settings,
  granted: ReadonlyArray<string>,
  format: { readonly style: Style; readonly columns: number },
): Promise<Asked> => {
  const { columns, style } = format;
  const { decision, kind, prompt, tool } = question;
  const { cwd } = settings;
  const command = commandOf(question);
  const { allow, ask, deny, hosts, mode, workspaceRoots } = settings;
  const policy = commandPolicy(
    { allow: [...allow, ...granted], ask, deny, mode, workspaceRoots, network: { allow: hosts } },
    { cwd, home: homedir(), tool },
  );
  const proposed =
    kind === "approval"
      ? proposeCallRules({ tool, decision, ...(command === undefined ? {} : { command }) }, policy)
      : { rules: [], whyNone: undefined };
  const details = await detailsOf(question, cwd, format);
  const hidden = details.length - shownLines;
  const isCut = hidden > 1;
  const offer =
    proposed.rules.length > 0
      ? [
          `s and a allow: ${proposed.rules.join(", ")}`,
          `a writes that to ${shortFolder(configFiles(cwd).user, 60)}, for ${shortFolder(cwd, 60)}`,
        ]
      : proposed.whyNone === undefined
        ? []
        : [`no rule is offered: ${proposed.whyNone}`];
  return {
    question,
    rules: proposed.rules,
    explanation: command === undefined ? undefined : explanationText(explainCommand(command, policy)).trimEnd(),
    all: isCut ? details : undefined,
    lines: [
      "",
      ...proseRows(`? ${oneLine(prompt, 2_000)}`, columns - 1).map((line) => style.yellow(line)),
      ...(isCut ? details.slice(0, shownLines) : details),
      ...(isCut ? [style.dim(`  … ${hidden} more lines: v shows all`)] : []),
      ...offer.flatMap((line) => proseRows(oneLine(line, 2_000), columns - 3)).map((line) => style.dim(`  ${line}`)),
    ],
  };
};

const commandOf = ({ input }: Question): string | undefined => {
  const command =
    typeof input === "object" && input !== null && !Array.isArray(input) ? Reflect.get(input, "command") : undefined;
  return typeof command === "string" ? command : undefined;
};

const detailsOf = async (
  question: Question,
  cwd: string,
  { columns, style }: { readonly style: Style; readonly columns: number },
): Promise<ReadonlyArray<string>> => {
  const { input, tool } = question;
  const whole = (): ReadonlyArray<string> => questionLines({ input }, columns - 1).map((line) => line.trimEnd());
  try {
    const preview = await previewFileCall({ tool, input, cwd });
    return preview === undefined ? whole() : diffLines(preview, style, columns - 2).map((line) => `  ${line}`);
  } catch (error) {
    return [
      ...whole(),
      ...wrapped(`no difference can be shown: ${messageOf(error)}`, columns - 3).map((line) => `  ${line}`),
    ];
  }
};
