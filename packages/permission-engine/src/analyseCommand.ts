import { parse, type ParsedScript, type SyntaxNode } from "unbash";
import type { Folders } from "./buildPart.ts";
import type { CommandAnalysis } from "./CommandPart.ts";
import { noConstants } from "./Constants.ts";
import { forkingRing } from "./forkBomb.ts";
import { hasMark } from "./internal/marks.ts";
import { noteWrittenScripts } from "./writtenScripts.ts";
import { evaluationDoubt, noVariables } from "./Variables.ts";
import { visitNode } from "./visitNode.ts";
import {
  doubt,
  mostCharacters,
  mostDepth,
  mostParts,
  mostScripts,
  type NestedScript,
  type Scope,
  textOf,
  type Walk,
  widenFolders,
} from "./Walk.ts";

/** What a command is read with: relative paths start at `cwd`, `~` is `home`. Both absolute. */
export interface AnalysisScope {
  readonly cwd: string;
  readonly home: string;
}

/**
 * Takes a Bash command apart. Never throws: what cannot be read, is too long or too deep becomes a doubt, and the parts
 * found nevertheless are still given, so that a disaster among them is seen.
 */
export const analyseCommand = (command: string, { cwd, home }: AnalysisScope): CommandAnalysis => {
  const folders: Folders = { known: [cwd], isUnknown: false };
  const walk: Walk = {
    home,
    cwd,
    parts: [],
    pipelines: [],
    bombs: [],
    doubts: [],
    functions: [],
    defined: [],
    variables: noVariables(),
    hereDocuments: [],
    folders,
    isFull: false,
    hasUnseenCode: false,
    visit: (scope, node) => visit(walk, scope, node),
    run: (scope, script) => runScript(walk, scope, script),
  };
  if (command.length > mostCharacters) {
    doubt(walk, `it is longer than ${mostCharacters} characters`, `${command.slice(0, 80)}…`);
    return found(walk, false);
  }
  const scope: Omit<Scope, "source"> = {
    depth: 0,
    scripts: 0,
    folders,
    moves: 0,
    language: "bash",
    isForeign: false,
    isRemote: false,
    isStraight: true,
    constants: noConstants(),
    loops: noLoops,
    listed: new Map(),
    input: undefined,
    isPiped: false,
  };
  const script = parseScript(walk, command, scope);
  for (const range of walk.functions) widenFolders(walk, range, walk.folders);
  const ring = walk.bombs.length === 0 ? forkingRing(walk.defined) : undefined;
  if (ring !== undefined) doubt(walk, "functions may start each other again and again until the machine stops", ring);
  noteWrittenScripts(walk.parts);
  const evaluated = evaluationDoubt(walk.variables);
  if (evaluated !== undefined) doubt(walk, evaluated, command);
  const statement = script?.commands[0];
  const isSimple =
    script?.commands.length === 1 &&
    statement?.command.type === "Command" &&
    statement.background !== true &&
    walk.parts.length === 1 &&
    walk.doubts.length === 0 &&
    walk.parts.every((part) => part.levels.length === 1 && part.assigns.length + part.redirects.length === 0) &&
    statement.command.redirects.length === 0;
  return found(walk, isSimple);
};

const noLoops: Scope["loops"] = new Map();

const found = ({ parts, pipelines, bombs, doubts }: Walk, isSimple: boolean): CommandAnalysis => ({
  parts,
  pipelines,
  bombs,
  doubts,
  isSimple,
});

// Bash joins the lines before it looks for the end of a name, the parser afterwards: `$a`, continued on the next line
// with `b`, is `$ab`.
const continuesExpansion = (text: string): boolean => {
  for (let at = text.indexOf("\\\n"); at >= 0; at = text.indexOf("\\\n", at + 1)) {
    const before = text.slice(Math.max(0, at - 64), at);
    if (/^[\w{([#!@*?$-]{64}$|\$[\w{([#!@*?$-]*$/.test(before)) return true;
  }
  return false;
};

const parsed = (walk: Walk, text: string): ParsedScript | undefined => {
  try {
    return parse(text);
  } catch (error) {
    doubt(walk, `it could not be read: ${String(error)}`, text);
    return undefined;
  }
};

const parseScript = (walk: Walk, text: string, scope: Omit<Scope, "source">): ParsedScript | undefined => {
  if (text.includes("\0")) doubt(walk, "it holds a NUL character", text.slice(0, text.indexOf("\0")));
  // Bash marks quoted characters with these, and loses them where they are written.
  if (text.includes("\u0001") || text.includes("\u007f"))
    doubt(walk, "it holds control characters that Bash uses itself", text);
  if (hasMark(text)) doubt(walk, "it holds private-use characters", text);
  if (continuesExpansion(text)) doubt(walk, "an expansion is continued on the next line", text);
  // Whether Bash keeps a backslash at the very end goes by where it has the text from.
  if (/(?<!\\)(?:\\\\)*\\$/.test(text)) doubt(walk, "it ends in the middle of an escape", text);
  // To Bash, `$$` is the number of the process, whatever stands behind it.
  if (/\$\$[{(]/.test(text)) doubt(walk, "where an expansion starts is not certain", text);
  const script = parsed(walk, text);
  if (script === undefined) return undefined;
  visit(walk, { ...scope, source: text }, script);
  return script;
};

// What other shells read as Bash does.
const common = /^[\w ./:,+@%;&\n-]*$/;

const runScript = (walk: Walk, scope: Scope, { text, isStatic, language, isOwnShell }: NestedScript): void => {
  if (!isStatic) doubt(walk, "a script is only known when the command runs", text);
  if (scope.scripts >= mostScripts) return doubt(walk, `more than ${mostScripts} scripts are nested`, text);
  if (text.length > mostCharacters) return doubt(walk, "a nested script is too long", text);
  if (language === "other" && !common.test(text)) doubt(walk, "it is written for another shell", text);
  parseScript(walk, text, {
    ...scope,
    language,
    scripts: scope.scripts + 1,
    isStraight: isOwnShell,
    constants: isOwnShell ? noConstants() : undefined,
    loops: noLoops,
    listed: new Map(),
    input: undefined,
  });
};

const visit = (walk: Walk, scope: Scope, node: SyntaxNode): void => {
  if (walk.isFull) return;
  if (walk.parts.length >= mostParts || scope.depth >= mostDepth) {
    walk.isFull = true;
    return doubt(walk, "it has too many parts or is nested too deeply", textOf(scope, node));
  }
  const { isStraight } = scope;
  scope.depth++;
  visitNode(walk, scope, node);
  scope.depth--;
  scope.isStraight = isStraight;
};
