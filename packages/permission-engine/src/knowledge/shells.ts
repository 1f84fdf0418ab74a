/** Programs that run shell scripts. */
export const shells: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
  "ksh93",
  "mksh",
  "ash",
  "fish",
  "csh",
  "tcsh",
  "rbash",
  "yash",
]);

/** An interpreter of another language: how it is told to run something else than its standard input. */
export interface Interpreter {
  /** Options whose value is code. */
  readonly code: ReadonlyArray<string>;
  /** Options whose value names a module or file to run. */
  readonly module: ReadonlyArray<string>;
  /** Options with a value that is neither. */
  readonly values: ReadonlyArray<string>;
}

const python: Interpreter = { code: ["-c"], module: ["-m"], values: ["-W", "-X"] };
const node: Interpreter = {
  code: ["-e", "--eval", "-p", "--print"],
  module: [],
  values: ["-r", "--require", "--import", "--loader", "-C", "--conditions"],
};
const pwsh: Interpreter = { code: ["-Command", "-c", "-EncodedCommand"], module: ["-File", "-f"], values: [] };

const interpreters: ReadonlyMap<string, Interpreter> = new Map([
  ["node", node],
  ["nodejs", node],
  ["bun", node],
  ["deno", node],
  ["perl", { code: ["-e", "-E"], module: [], values: ["-I", "-M"] }],
  ["ruby", { code: ["-e"], module: [], values: ["-I", "-r"] }],
  ["php", { code: ["-r"], module: ["-f"], values: ["-d", "-c"] }],
  ["lua", { code: ["-e"], module: [], values: ["-l"] }],
  ["osascript", { code: ["-e"], module: [], values: ["-l"] }],
  ["tclsh", { code: [], module: [], values: [] }],
  ["Rscript", { code: ["-e"], module: [], values: [] }],
  ["pwsh", pwsh],
  ["powershell", pwsh],
]);

/** What is known of an interpreter by its program name; versions in the name do not matter. */
export const interpreterOf = (program: string): Interpreter | undefined =>
  /^python[\d.]*$|^pypy[\d.]*$/.test(program) ? python : interpreters.get(program.replace(/[\d.]+$/, ""));

/** Programs whose output comes from another machine. */
export const downloaders: ReadonlySet<string> = new Set([
  "curl",
  "wget",
  "wget2",
  "fetch",
  "aria2c",
  "axel",
  "lynx",
  "w3m",
  "http",
  "https",
  "xh",
  "httpie",
  "lwp-request",
  "nc",
  "ncat",
  "netcat",
  "socat",
  "telnet",
  "ftp",
  "tftp",
  "curlie",
]);

/** Builtins that evaluate array subscripts inside their arguments, quoted ones too. */
export const subscriptBuiltins: ReadonlySet<string> = new Set([
  "declare",
  "typeset",
  "local",
  "readonly",
  "export",
  "unset",
  "read",
  "mapfile",
  "readarray",
  "printf",
  "test",
  "[",
  "let",
  "wait",
  "getopts",
]);

/** Builtins whose operands name variables they set. */
export const assigningBuiltins: ReadonlySet<string> = new Set([
  "declare",
  "typeset",
  "local",
  "readonly",
  "export",
  "unset",
  "read",
  "mapfile",
  "readarray",
  "printf",
  "getopts",
]);

/** Builtins that change what later commands mean; they are never allowed by a rule. */
export const meaningBuiltins: ReadonlySet<string> = new Set(["alias", "unalias", "enable", "hash", "shopt", "bind"]);
