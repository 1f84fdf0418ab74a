import { assigningBuiltins, meaningBuiltins, subscriptBuiltins } from "./knowledge/shells.ts";
import { containerTools } from "./knowledge/containers.ts";
import { changesWhatRuns } from "./knowledge/environment.ts";
import { hasMark, mark } from "./internal/marks.ts";
import { goesUpAgain, resolvePath } from "./PathKey.ts";
import { isOption, programName } from "./Program.ts";
import type { PartLevel } from "./CommandPart.ts";
import type { ShellWord } from "./ShellWord.ts";
import { unwrap } from "./unwrap.ts";
import type { Argv, Language, ScriptSource, StartedCommand } from "./Unwrapped.ts";

/** Wrappers in wrappers beyond this are not followed. */
const mostLevels = 8;

/** The folders a command may run in. */
export interface Folders {
  readonly known: ReadonlyArray<string>;
  readonly isUnknown: boolean;
}

/** A command followed through its wrappers. */
export interface FollowedCommand {
  readonly levels: ReadonlyArray<PartLevel>;
  readonly assigns: ReadonlyArray<string>;
  readonly started: ReadonlyArray<StartedCommand>;
  readonly scripts: ReadonlyArray<ScriptSource>;
  readonly code: ReadonlyArray<ShellWord>;
  readonly readsScript: boolean;
  /** What the scripts are written in; absent: in the language of the command itself. */
  readonly language: Language | "no shell" | undefined;
  /** Home and variables may be others inside. */
  readonly isForeign: boolean;
  /** What is inside runs on another machine, or in a container. */
  readonly isRemote: boolean;
  readonly folders: Folders;
  readonly doubts: ReadonlyArray<string>;
}

/** Follows a command through its wrappers and collects what cannot be told about it. */
export const followCommand = (words: Argv, input: string | undefined, start: Folders): FollowedCommand => {
  const levels: Array<PartLevel> = [];
  const doubts: Array<string> = [];
  const assigns: Array<string> = [];
  const scripts: Array<ScriptSource> = [];
  const code: Array<ShellWord> = [];
  const started: Array<StartedCommand> = [];
  let folders = start;
  let readsScript = false;
  let isForeign = false;
  let isRemote = false;
  let language: FollowedCommand["language"];
  let argv: Argv | undefined = words.length === 0 ? undefined : words;
  while (argv !== undefined) {
    if (levels.length === mostLevels) {
      doubts.push(`more than ${mostLevels} commands are wrapped in each other`);
      break;
    }
    doubts.push(...nameDoubts(argv[0]), ...builtinDoubts(argv));
    const unwrapped = unwrap(argv, input);
    levels.push({ argv, isTransparent: unwrapped.isTransparent });
    doubts.push(...unwrapped.doubts);
    assigns.push(...unwrapped.assigns);
    scripts.push(...unwrapped.scripts);
    code.push(...unwrapped.code);
    started.push(...unwrapped.started);
    readsScript ||= unwrapped.readsScript;
    isForeign ||= !keepsHome.has(programName(argv[0])) || (unwrapped.inner !== undefined && changesHome(argv));
    if (unwrapped.scripts.length > 0 || unwrapped.readsScript) language = unwrapped.language;
    if (isElsewhere(argv) && (unwrapped.inner !== undefined || unwrapped.scripts.length > 0)) {
      isRemote = true;
      folders = { known: [], isUnknown: true };
    }
    if (unwrapped.isMoved === true) folders = { known: [], isUnknown: true };
    if (unwrapped.folder !== undefined) folders = moved(folders, unwrapped.folder);
    else if (movesInner(argv, unwrapped)) folders = { known: folders.known, isUnknown: true };
    argv = unwrapped.inner;
  }
  for (const name of assigns) if (changesWhatRuns(name)) doubts.push(`setting ${name} can change what runs`);
  return { levels, assigns, started, scripts, code, readsScript, language, isForeign, isRemote, folders, doubts };
};

// Wrappers and shells that hand on the variables they were given.
const keepsHome: ReadonlySet<string> = new Set(
  (
    "bash sh dash eval trap source . env nohup nice ionice chrt taskset time gtime timeout gtimeout stdbuf setsid unbuffer " +
    "command builtin exec coproc xargs gxargs find gfind watch script flock strace ltrace"
  ).split(" "),
);

const isElsewhere = ([name]: Argv): boolean => programName(name) === "ssh" || containerTools.has(programName(name));

// `env -i`, `env -u HOME`, `exec -c`
const changesHome = (argv: Argv): boolean => argv.some(({ text }) => /^-(?:$|[A-Za-z]*[iuc]|-ign|-uns)/.test(text));

// Programs that are told a folder, and run something in it: `git -C / submodule foreach …`, `make -C / -f -`.
const folderOption =
  /^(?:-C.*|--(?:directory|prefix|cwd|chdir|cd|dir|work-?dir|working-directory|project-directory|project-dir|root|modules-folder)(?:=.*)?|-(?:d|w|execdir|okdir))$/;
const folderTellers: ReadonlySet<string> = new Set(
  (
    "git npm npx pnpm pnpx yarn bun uv uvx poetry pdm hatch make gmake tar gtar bsdtar bwrap find gfind bfs start-stop-daemon nodemon " +
    "mise asdf direnv cargo go just task rake mvn gradle ninja composer bundle nix systemd-run firejail tox nox pipenv terraform pulumi jj hg"
  ).split(" "),
);
const movesInner = (argv: Argv, { code, inner, scripts, started }: ReturnType<typeof unwrap>): boolean =>
  (inner !== undefined || scripts.length + started.length + code.length > 0) && tellsFolder(argv);

/** Whether a program is told the folder that what it runs starts in. */
export const tellsFolder = (argv: Argv): boolean =>
  folderTellers.has(programName(argv[0])) &&
  (programName(argv[0]) === "direnv" || argv.slice(1).some(({ text }) => folderOption.test(text)));

/** The folders after a change of folder that may have failed. */
export const withFolder = (folders: Folders, target: ShellWord): Folders => {
  return joinFolders(folders, moved(folders, target));
};

/** The folders of both. More than 8 count as unknown. */
export const joinFolders = (a: Folders, b: Folders): Folders => {
  const known = [...new Set([...a.known, ...b.known])];
  return { known: known.slice(0, 8), isUnknown: a.isUnknown || b.isUnknown || known.length > 8 };
};

const moved = (folders: Folders, target: ShellWord): Folders =>
  !target.isStatic || hasMark(target.shape.replaceAll(mark.blank, ""))
    ? { known: [], isUnknown: true }
    : {
        known: folders.known.map((folder) => resolvePath(folder, target.text)),
        isUnknown: folders.isUnknown || goesUpAgain(target.text),
      };

const plainName = /^[\w.+\-/@:,%^![\]]+$/;

const nameDoubts = (name: ShellWord | undefined): ReadonlyArray<string> =>
  name === undefined
    ? []
    : !name.isStatic
      ? ["which program runs is only known when the command runs"]
      : plainName.test(name.text)
        ? []
        : ["the program's name has characters that may hide another"];

const builtinDoubts = (argv: Argv): ReadonlyArray<string> => {
  const program = programName(argv[0]);
  const doubts: Array<string> = [];
  if (meaningBuiltins.has(program)) doubts.push(`${program} changes what later commands mean`);
  if (subscriptBuiltins.has(program) && argv.some((word) => evaluatesSubscript(word.text)))
    doubts.push(`${program} evaluates the code in an array subscript`);
  if (program === "wait")
    for (const [index, { text }] of argv.entries())
      if (changesWhatRuns(/^-p(.+)$/.exec(text)?.[1] ?? (argv[index - 1]?.text === "-p" ? text : "")))
        doubts.push(`setting ${text} can change what runs`);
  if (assigningBuiltins.has(program))
    for (const word of argv.slice(1)) {
      const name = /^[A-Za-z_]\w*/.exec(word.text)?.[0];
      if (name !== undefined && changesWhatRuns(name)) doubts.push(`setting ${name} can change what runs`);
      const isBuilt = hasMark(word.shape.replace(/=.*$/s, "").replaceAll(mark.blank, ""));
      if ((name === undefined || isBuilt) && !word.isStatic && !isOption(word) && program !== "printf")
        doubts.push(`which variable ${program} sets is only known when the command runs`);
    }
  return doubts;
};

/** Whether a text is an array subscript that holds code: Bash runs it even where it is quoted. */
export const evaluatesSubscript = (text: string): boolean =>
  text.includes("[") && (text.includes("$(") || text.includes("`") || text.includes("${"));
