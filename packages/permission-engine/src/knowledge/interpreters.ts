import { words } from "./Wrapper.ts";

/** An interpreter of another language: how it is told to run something else than its standard input. */
export interface Interpreter {
  /** Options whose value is code. */
  readonly code?: ReadonlyArray<string>;
  /** Options whose value names a module to run. */
  readonly module?: ReadonlyArray<string>;
  /** Options whose value names a file to run. */
  readonly files?: ReadonlyArray<string>;
  /** Options with a value that is none of these. */
  readonly values?: ReadonlyArray<string>;
  /** Words that say no more than that a file, or standard input, is run. */
  readonly commands?: ReadonlyArray<string>;
  /** Other words that are no file: sub-commands of other kinds. */
  readonly others?: ReadonlyArray<string>;
  /** Its standard input is data, unless it is named as what to run. */
  readonly readsData?: true;
  /** … or one of these options is given. */
  readonly readsCodeWith?: RegExp;
  /** Its operands are no code: it is told what to run by its standard input. */
  readonly readsCommands?: true;
}

const python: Interpreter = { code: ["-c"], module: ["-m"], values: ["-W", "-X"] };
const node: Interpreter = {
  code: words("-e --eval -p --print"),
  values: words("-r --require --import --loader --experimental-loader -C --conditions --input-type --env-file"),
};
const pwsh: Interpreter = {
  code: words("-Command -command -c -EncodedCommand -encodedcommand -ec -e"),
  files: words("-File -file -f"),
  values: words("-ExecutionPolicy -executionpolicy -ep -ex -WorkingDirectory -wd -WindowStyle -w"),
};
const lisp: Interpreter = { code: words("-e --eval -c"), files: words("-l --load --script -s"), values: [] };
const awk: Interpreter = {
  files: words("-f --file -E --exec"),
  values: words("-v -F -e --source"),
  readsData: true,
};
const sed: Interpreter = { files: words("-f --file"), values: words("-e --expression -l"), readsData: true };
const make: Interpreter = { files: words("-f --file --makefile"), values: words("-C -I -j -o -W"), readsData: true };
const vim: Interpreter = {
  files: words("-s -S"),
  code: words("-c --cmd"),
  readsData: true,
  readsCodeWith: /^-[A-Za-z]*[eE]/,
};

const interpreters: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
  ["node", node],
  ["nodejs", node],
  ["tsx", node],
  ["ts-node", node],
  [
    "bun",
    { ...node, commands: ["run"], others: words("install add remove update x create pm test build upgrade init link") },
  ],
  [
    "deno",
    {
      commands: ["run"],
      others: words("eval test check lint fmt task bench bundle cache compile info install upgrade repl serve"),
      values: words("-c --config --import-map -L --log-level --cert --location"),
    },
  ],
  ["perl", { code: ["-e", "-E"], values: ["-I", "-M"] }],
  ["ruby", { code: ["-e"], values: ["-I", "-r"] }],
  ["irb", { values: ["-I", "-r"] }],
  ["php", { code: ["-r", "-B", "-R", "-E"], files: ["-f", "-F"], values: ["-d", "-c"] }],
  ["lua", { code: ["-e"], values: ["-l"] }],
  ["luajit", { code: ["-e"], values: ["-l"] }],
  ["osascript", { code: ["-e"], values: ["-l"] }],
  ["tclsh", {}],
  ["m4", {}],
  ["dc", { code: ["-e"], files: ["-f"] }],
  ["wish", {}],
  ["expect", { code: ["-c"], files: ["-f"] }],
  ["rscript", { code: ["-e"] }],
  ["r", { code: ["-e"], files: ["-f", "--file"] }],
  ["julia", { code: ["-e", "-E", "--eval", "--print"], values: ["-L", "-J", "-p", "-t"] }],
  ["elixir", { code: ["-e", "--eval"], values: ["-r", "-pa", "-S"] }],
  ["groovy", { code: ["-e"], values: ["-cp", "-c"] }],
  ["scala", { code: ["-e"] }],
  ["kotlin", { code: ["-e"] }],
  ["swift", { code: ["-e"] }],
  ...["ghci", "jshell", "bpython", "ptpython", "pry", "iex", "ocaml", "utop", "clisp", "gosh", "gnuplot"].map(
    (name) => [name, {}] as const,
  ),
  ["ipython", { code: ["-c"], module: ["-m"] }],
  ["octave", { code: ["--eval"], values: ["-p", "--path"] }],
  ["runghc", {}],
  ["guile", lisp],
  ["racket", lisp],
  ["sbcl", lisp],
  ["nu", { code: ["-c", "--commands"] }],
  ["xonsh", { code: ["-c"] }],
  ["pwsh", pwsh],
  ["powershell", pwsh],
  // They run what `-f` names; the rest is data.
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, awk] as const),
  ...["sed", "gsed"].map((name) => [name, sed] as const),
  ...["make", "gmake"].map((name) => [name, make] as const),
  ...["vim", "vi", "nvim"].map((name) => [name, vim] as const),
  ["gdb", { files: ["-x", "--command"], code: ["-ex", "-iex", "--eval-command"], readsCommands: true }],
  ["lldb", { files: ["-s", "--source"], code: ["-o", "--one-line"], readsCommands: true }],
  // They have commands that start programs.
  ["ed", { values: ["-p"], readsCommands: true }],
  ["ex", { code: ["-c"], files: ["-S"], readsCommands: true }],
  ["crontab", { module: ["-l", "-r", "-e"], values: ["-u"] }],
]);

/** What is known of an interpreter by its program name; versions in the name do not matter. */
export const interpreterOf = (program: string): Interpreter | undefined =>
  /^python[\d.]*$|^pypy[\d.]*$/.test(program)
    ? python
    : (interpreters.get(program) ?? interpreters.get(program.replace(/[\d.]+$/, "")));
