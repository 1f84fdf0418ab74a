/** Variables of one shell whose value is certain where they are used. */
export interface Constants {
  readonly values: Map<string, string>;
  /** Assignments looked at so far. */
  count: number;
  /** Something may have set variables in a way that is not seen. */
  isOff: boolean;
}

export const noConstants = (): Constants => ({ values: new Map(), count: 0, isOff: false });

/** More are not looked at: each is searched for in the whole script. */
const mostAssignments = 32;

// Bash gives these a meaning of its own, or programs do.
const special =
  /^(?:[A-Z]+_?PATH|BASH.*|COMP.*|[A-Z]*IFS|_|REPLY|RANDOM|S?RANDOM|SECONDS|LINENO|EPOCH.*|E?UID|PPID|PWD|OLDPWD|SHELL.*|SHLVL|OPT.*|DIRSTACK|FUNCNAME|GROUPS|HIST.*|HOST.*|HOME|MACHTYPE|OSTYPE|PIPESTATUS|READLINE.*|LANG|LC_.*|TZ|TMOUT|TIMEFORMAT|PS\d|PROMPT.*|POSIX.*|FUNCNEST|FIGNORE|GLOBIGNORE|EXECIGNORE|MAPFILE|COPROC|CHILD_MAX|COLUMNS|LINES|PATH)$/;

/**
 * Notes `name=value`, a statement of its own that certainly runs before all that follows. It counts as certain only
 * where the script names the variable nowhere else but as `$name` and `${name…}`: then nothing else can set it.
 */
export const noteConstant = (constants: Constants, name: string, value: string, script: string): void => {
  if (constants.isOff || constants.count++ >= mostAssignments || special.test(name) || value === "") return;
  const mentions = script.match(new RegExp(String.raw`(?<![\w$]|\$\{)${name}(?!\w)`, "g"));
  const sets = new RegExp(String.raw`\$\{${name}(?:\[[^\]]*\])?:?=`).test(script);
  if (mentions?.length === 1 && !sets) constants.values.set(name, value);
};

/** From here on, nothing is certain: code was run that is not seen. */
export const forgetConstants = (constants: Constants | undefined): void => {
  if (constants === undefined) return;
  constants.values.clear();
  constants.isOff = true;
};
