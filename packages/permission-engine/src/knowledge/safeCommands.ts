import type { Risk } from "@kumiko/plugin-api";

/**
 * A command that may run without a rule, as long as its arguments stay within these bounds. Options are bounded by
 * `only` (nothing else) or by `never` (everything else); at least one is needed for a program that can do more than
 * read.
 */
export interface SafeCommand {
  /** The program and its subcommand. */
  readonly words: string;
  readonly risk: Risk;
  /**
   * The only options allowed; `-x` also in a cluster. One written with `=` at its end takes a value, attached or in the
   * next word.
   */
  readonly only?: ReadonlyArray<string>;
  /** Options that take the command off the list, also cut short (`--outp`) or in a cluster. */
  readonly never?: ReadonlyArray<string>;
  /**
   * `none`; `text`: never opened; `format`: starts with `+`; `names`: listed, not read; `files`: read, hence
   * inside the workspace and not sensitive; `pattern-files`: a pattern, then files; `targets`: names of what to build.
   */
  readonly operands: "none" | "text" | "format" | "names" | "files" | "pattern-files" | "targets";
  readonly mostOperands?: number;
  /** An operand with one of these in it takes the command off the list. */
  readonly neverMentions?: ReadonlyArray<string>;
}

const each = (words: string, rest: Omit<SafeCommand, "words">): ReadonlyArray<SafeCommand> =>
  words.split(" | ").map((words) => Object.assign({ words }, rest));

const readers: ReadonlyArray<SafeCommand> = [
  ...each("ls | stat | du | basename | dirname | realpath | readlink", { risk: "read", operands: "names" }),
  ...each("pwd | whoami | id | groups | uname | arch | nproc | tty | true | false | uptime | who | w | df | cal", {
    risk: "read",
    never: ["--output", "--files0-from"],
    operands: "text",
  }),
  ...each("echo | seq | which | type | whereis", { risk: "read", operands: "text" }),
  ...each("hostname", { risk: "read", only: [], operands: "none" }),
  ...each("pgrep", { risk: "read", operands: "text" }),
  // Other options and operands show the environment of processes, and with it secrets.
  ...each("ps | ps aux", { risk: "read", only: ["-e", "-f", "-A", "-a", "-x", "-p=", "-u="], operands: "none" }),
  ...each("date", { risk: "read", only: ["-u", "-R", "-I", "--utc", "--iso-8601", "--rfc-3339"], operands: "format" }),
  ...each(
    "cat | head | tail | tac | nl | rev | fold | fmt | paste | expand | unexpand | column | comm | cut | strings | od | hexdump",
    {
      risk: "read",
      never: ["--files0-from"],
      operands: "files",
    },
  ),
  ...each("wc | md5sum | sha1sum | sha256sum | sha512sum | shasum | cksum | cmp", {
    risk: "read",
    never: ["--files0-from"],
    operands: "files",
  }),
  ...each("diff", { risk: "read", never: ["--output", "--to-file", "--from-file"], operands: "files" }),
  ...each("file", { risk: "read", never: ["-C", "--compile", "-m", "--magic-file", "-f"], operands: "files" }),
  ...each("tr", { risk: "read", operands: "text" }),
  ...each("uniq", { risk: "read", operands: "files", mostOperands: 1 }),
  ...each("base64", { risk: "read", never: ["-o", "--output"], operands: "files", mostOperands: 1 }),
  ...each("sort", {
    risk: "read",
    never: ["-o", "--output", "--compress-program", "-T", "--temporary-directory", "--files0-from", "-S"],
    operands: "files",
  }),
  ...each("grep | egrep | fgrep", { risk: "read", never: ["-f", "--file"], operands: "pattern-files" }),
  ...each("rg", {
    risk: "read",
    never: ["--pre", "--pre-glob", "-z", "--search-zip", "--hostname-bin", "-f", "--file", "--ignore-file"],
    operands: "pattern-files",
  }),
  ...each("fd | fdfind", {
    risk: "read",
    never: ["-x", "-X", "--exec", "--exec-batch", "--ignore-file", "-l", "--list-details"],
    operands: "pattern-files",
  }),
  ...each("find", {
    risk: "read",
    only: [
      "-H -L -P -name= -iname= -path= -ipath= -regex= -iregex= -type= -maxdepth= -mindepth= -size= -empty -newer= -mtime= -mmin= -atime= -ctime=",
      "-print -print0 -not -and -or -a -o -prune -depth -perm= -user= -group= -readable -writable -executable -xdev -mount -true -false",
    ].flatMap((line) => line.split(" ")),
    operands: "names",
  }),
  ...each("tree", { risk: "read", never: ["-o", "--output", "-R", "--fromfile"], operands: "names" }),
  ...each("jq", {
    risk: "read",
    never: ["-L", "-f", "--from-file", "--rawfile", "--slurpfile", "--argfile"],
    operands: "pattern-files",
    neverMentions: ["env", "ENV"],
  }),
];

const git: ReadonlyArray<SafeCommand> = [
  ...each("git status", {
    risk: "read",
    only: "-s -b -v -u -z --short --branch --show-stash --porcelain --long --verbose --untracked-files --ignored --ahead-behind --no-ahead-behind --renames --no-renames --column --no-column".split(
      " ",
    ),
    operands: "names",
  }),
  ...each("git diff | git log | git show | git diff-tree | git rev-list | git shortlog | git whatchanged", {
    risk: "read",
    never: ["--output", "--ext-diff", "--textconv", "-O", "--show-signature", "--no-index", "--exec", "--exec-path"],
    operands: "files",
  }),
  ...each("git blame | git annotate", {
    risk: "read",
    never: ["--contents", "--ignore-revs-file", "-S", "--textconv"],
    operands: "text",
  }),
  ...each(
    "git ls-files | git ls-tree | git name-rev | git describe | git merge-base | git count-objects | git cherry",
    {
      risk: "read",
      never: ["-X", "--exclude-from", "--stdin"],
      operands: "text",
    },
  ),
  ...each("git rev-parse", { risk: "read", never: ["--parseopt"], operands: "text" }),
  ...each("git cat-file", {
    risk: "read",
    only: ["-t", "-s", "-p", "-e", "--allow-unknown-type"],
    operands: "text",
  }),
  ...each("git branch", {
    risk: "read",
    only: "-a -r -v --all --remotes --verbose --list --show-current --no-color --color --column --no-column".split(" "),
    operands: "none",
  }),
  ...each("git tag", { risk: "read", only: ["-l", "-n", "--list", "--sort="], operands: "none" }),
  ...each("git tag -l | git tag --list | git branch --list", { risk: "read", only: [], operands: "text" }),
  ...each("git remote", { risk: "read", only: ["-v", "--verbose"], operands: "none" }),
  ...each("git remote get-url", { risk: "read", only: ["--push", "--all"], operands: "text" }),
  ...each("git stash list", { risk: "read", only: [], operands: "none" }),
  ...each("git worktree list", { risk: "read", only: ["-v", "--porcelain", "-z"], operands: "none" }),
  ...each("git reflog | git reflog show", { risk: "read", only: ["-n=", "--oneline", "--all"], operands: "none" }),
  ...each("git config --get | git config --list | git config -l | git config --get-all", {
    risk: "read",
    only: ["--local", "--global", "--show-origin", "--name-only"],
    operands: "text",
    mostOperands: 1,
  }),
  ...each("git --version | git version", { risk: "read", only: [], operands: "none" }),
];

const goFlags =
  "-v -x -n -a -race -msan -cover -covermode= -coverpkg= -count= -run= -skip= -bench= -benchmem -benchtime= -short -timeout= -tags= -json -p= -parallel= -failfast -trimpath -vet= -cpu= -shuffle= -list= -buildvcs= -args -fullpath".split(
    " ",
  );
const cargoFlags =
  "--all --workspace --release --lib --bins --bin= --tests --test= --examples --example= --benches --bench= --all-targets --all-features --features= --no-default-features --package= -p= --exclude= --jobs= -j= --keep-going --no-run --no-fail-fast --verbose -v -q --quiet --message-format= --color= --locked --offline --frozen --doc --profile=".split(
    " ",
  );

const builds: ReadonlyArray<SafeCommand> = [
  ...each("go build | go test | go vet", { risk: "local-write", only: goFlags, operands: "targets" }),
  ...each("go version | go doc", { risk: "read", only: ["-all", "-src", "-short", "-u", "-m"], operands: "text" }),
  ...each("go env", { risk: "read", only: ["-json"], operands: "text" }),
  ...each("go list", { risk: "read", only: ["-m", "-json", "-deps", "-test", "-e"], operands: "targets" }),
  ...each("go mod graph | go mod verify | go mod why", { risk: "read", only: ["-m"], operands: "targets" }),
  ...each("cargo build | cargo test | cargo check | cargo clippy | cargo doc | cargo bench", {
    risk: "local-write",
    only: cargoFlags,
    operands: "targets",
  }),
  ...each("cargo --version | rustc --version | cargo tree | cargo metadata", {
    risk: "read",
    only: [],
    operands: "none",
  }),
  ...each("make", {
    risk: "local-write",
    only: "-j -k -n -s -B -i -w -q -t --jobs --keep-going --dry-run --silent --always-make --ignore-errors --no-print-directory --trace".split(
      " ",
    ),
    operands: "targets",
  }),
  ...each(
    "npm test | npm run test | npm run build | npm run lint | npm run typecheck | yarn test | pnpm test | bun test",
    {
      risk: "local-write",
      only: ["--silent", "-s"],
      operands: "none",
    },
  ),
  ...each("pytest | python -m pytest | python3 -m pytest", {
    risk: "local-write",
    only: "-q -v -x -s -k= -m= -l --lf --ff --tb= --maxfail= --durations= --collect-only --no-header --last-failed".split(
      " ",
    ),
    operands: "targets",
  }),
  ...each("mvn test | gradle test | swift build | swift test | dotnet build | dotnet test | mix test | zig build", {
    risk: "local-write",
    only: ["-q", "-v"],
    operands: "none",
  }),
  ...each("node --version | npm --version | python --version | python3 --version | ruby --version | tsc --version", {
    risk: "read",
    only: [],
    operands: "none",
  }),
  ...each("docker --version | deno --version | bun --version | gcc --version | clang --version | cmake --version", {
    risk: "read",
    only: [],
    operands: "none",
  }),
];

/** The built-in safe list: layer ④. A command with any operator, expansion, redirection or assignment never enters by it. */
export const safeCommands: ReadonlyArray<SafeCommand> = [...readers, ...git, ...builds];
