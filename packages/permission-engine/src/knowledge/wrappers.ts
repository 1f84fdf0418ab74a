import { launchers } from "./launchers.ts";
import { type Wrapper, words } from "./Wrapper.ts";

const nothing: Wrapper = { isTransparent: true };
const opaque: Wrapper = { isTransparent: false };

/** Wrappers by program name. Shells, `find`, `fd`, `xargs`, `parallel` and `eval` have forms of their own. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    "sudo",
    {
      values: ["-u", "--user", "-g", "--group", "-h", "--host", "-p", "--prompt", "-C", "-r", "-t", "-T", "-U", "-R"],
      flags: ["-A", "-b", "-E", "-H", "-k", "-n", "-P", "-S", "--preserve-env", "--non-interactive"],
      shellFlags: ["-i", "-s", "--login", "--shell"],
      moves: ["-i", "--login"],
      folder: ["-D", "--chdir"],
      queries: ["-l", "--list", "-v", "--validate", "-K", "-V", "--version", "-e", "--edit"],
      assigns: true,
      isTransparent: false,
    },
  ],
  ["doas", { values: ["-u", "-C"], flags: ["-n", "-L"], shellFlags: ["-s"], isTransparent: false }],
  ["pkexec", { values: ["--user"], flags: ["--disable-internal-agent"], isTransparent: false }],
  [
    "su",
    {
      values: ["-s", "--shell", "-g", "-G", "-w"],
      flags: ["-", "-l", "--login", "-m", "-p", "-P", "-f"],
      moves: ["-", "-l", "--login"],
      scripts: ["-c", "--command", "--session-command"],
      operands: 1,
      isPermuted: true,
      startsShell: true,
      isTransparent: false,
    },
  ],
  ["runuser", { values: ["-u", "--user", "-g", "-G", "-s"], flags: ["-m", "-p"], isTransparent: false }],
  [
    "env",
    {
      values: ["-u", "--unset"],
      flags: ["-i", "-", "--ignore-environment", "-0", "-v"],
      folder: ["-C", "--chdir"],
      splitsStrings: true,
      assigns: true,
      isTransparent: true,
    },
  ],
  ["nohup", nothing],
  ["nice", { values: ["-n", "--adjustment"], flags: ["-0-9"], isTransparent: true }],
  ["ionice", { values: ["-c", "-n", "-p", "--class", "--classdata"], flags: ["-t"], isTransparent: true }],
  ["chrt", { flags: ["-b", "-f", "-i", "-o", "-r"], operands: 1, isTransparent: true }],
  ["taskset", { flags: ["-c"], operands: 1, isTransparent: true }],
  ["time", { flags: ["-p", "-v", "-l"], values: ["-f", "--format"], isTransparent: true }],
  ["gtime", { flags: ["-p", "-v"], values: ["-f", "--format"], isTransparent: true }],
  [
    "timeout",
    {
      values: ["-k", "--kill-after", "-s", "--signal"],
      flags: ["-v", "--verbose", "--preserve-status", "--foreground"],
      operands: 1,
      isTransparent: true,
    },
  ],
  [
    "gtimeout",
    { values: ["-k", "-s"], flags: ["-v", "--preserve-status", "--foreground"], operands: 1, isTransparent: true },
  ],
  ["stdbuf", { values: ["-i", "-o", "-e", "--input", "--output", "--error"], isTransparent: true }],
  ["setsid", { flags: ["-c", "-f", "-w", "--wait", "--fork", "--ctty"], isTransparent: true }],
  ["unbuffer", { flags: ["-p"], isTransparent: true }],
  ["caffeinate", { flags: ["-d", "-i", "-m", "-s", "-u"], values: ["-t", "-w"], isTransparent: true }],
  ["command", { flags: ["-p"], queries: ["-v", "-V"], isTransparent: true }],
  ["builtin", nothing],
  ["exec", { values: ["-a"], flags: ["-c", "-l"], isTransparent: true }],
  ["noglob", nothing],
  ["nocorrect", nothing],
  ["coproc", nothing],
  ["busybox", { queries: ["--list", "--help", "--install"], isTransparent: false }],
  ["toybox", opaque],
  [
    "watch",
    {
      values: ["-n", "--interval"],
      flags: ["-d", "-t", "-b", "-e", "-g", "-c", "--color"],
      joins: true,
      isTransparent: false,
      risks: /^(?:-[a-zA-Z]*x|--exec)/,
    },
  ],
  [
    "script",
    {
      flags: ["-q", "-a", "-e", "-f", "--quiet", "--append", "--return", "--flush"],
      values: ["-T", "-I", "-O", "-B", "-E", "-o", "-m"],
      scripts: ["-c", "--command"],
      operands: 1,
      isPermuted: true,
      startsShell: true,
      isTransparent: false,
    },
  ],
  [
    "flock",
    {
      values: ["-w", "--timeout", "-E"],
      flags: ["-n", "-x", "-s", "-o", "--nonblock"],
      scripts: ["-c", "--command"],
      operands: 1,
      isTransparent: false,
    },
  ],
  ["chroot", { values: ["--userspec", "--groups"], operands: 1, startsShell: true, moves: true, isTransparent: false }],
  [
    "unshare",
    {
      flags: words(
        "-m -u -i -n -p -U -C -T -f -r -c --mount --uts --ipc --net --pid --user --fork --map-root-user --mount-proc --keep-caps",
      ),
      values: words("-R --root -w --wd -S --setuid -G --setgid --propagation"),
      startsShell: true,
      moves: ["-R", "--root", "-w", "--wd"],
      isTransparent: false,
    },
  ],
  [
    "nsenter",
    {
      values: ["-t", "--target"],
      flags: ["-a", "-m", "-u", "-i", "-n", "-p"],
      startsShell: true,
      moves: true,
      isTransparent: false,
    },
  ],
  ["setpriv", { flags: ["--no-new-privs", "--clear-groups"], isTransparent: false }],
  [
    "systemd-run",
    {
      values: words(
        "-p --property -u --unit -E --setenv --slice --description --uid --gid --on-calendar --on-active --working-directory",
      ),
      flags: words(
        "--user --system --scope -t --pty -P --pipe -q --quiet -G --collect --wait -d --same-dir --no-block -r --remain-after-exit",
      ),
      moves: true,
      isTransparent: false,
    },
  ],
  ["dbus-run-session", { flags: ["--"], isTransparent: false }],
  ["xvfb-run", { values: ["-n", "-s"], flags: ["-a"], isTransparent: false }],
  [
    "strace",
    {
      values: ["-e", "-o", "-p", "-s", "-E", "-u", "-a", "-b", "-I", "-O", "-S", "-X", "-P"],
      flags: [
        "-f",
        "-ff",
        "-c",
        "-C",
        "-q",
        "-v",
        "-t",
        "-tt",
        "-ttt",
        "-T",
        "-r",
        "-y",
        "-yy",
        "-x",
        "-xx",
        "-k",
        "-w",
        "-i",
        "-n",
        "-z",
        "-Z",
      ],
      // It writes to a command where the file's name starts with one of these.
      risks: /^(?:-o)?[|!]/,
      isTransparent: false,
    },
  ],
  ["ltrace", { values: ["-e", "-o", "-p", "-s"], flags: ["-f", "-c"], isTransparent: false }],
  [
    "ssh",
    {
      values: "bcDEeFIiJLlmOopQRSWw".split("").map((letter) => `-${letter}`),
      flags: "46AaCfGgKkMNnqsTtVvXxYy".split("").map((letter) => `-${letter}`),
      // Settings that run a command on this machine, or are read from a file.
      risks: /^-[FS]|^(?:-o)?(?:proxyc|proxyusef|localc|permitl|knownhostsc|match|include|pkcs11|securitykeyp)/i,
      operands: 1,
      joins: true,
      startsShell: true,
      isTransparent: false,
    },
  ],
  ["jobs", { shellFlags: [], flags: ["-x"], queries: ["-l", "-n", "-p", "-r", "-s"], isTransparent: false }],
  ["proxychains", { values: ["-f"], flags: ["-q"], isTransparent: false }],
  ["proxychains4", { values: ["-f"], flags: ["-q"], isTransparent: false }],
  ["torify", opaque],
  ["torsocks", { flags: ["-q", "-i"], isTransparent: false }],
  // They run a package, known or not, that they may fetch first.
  [
    "npx",
    {
      flags: words("-y --yes --no --no-install -q --quiet -s --silent --offline"),
      values: words("-p --package -w --workspace"),
      scripts: words("-c --call"),
      isTransparent: false,
    },
  ],
  ["bunx", { flags: ["--bun", "-y"], values: ["-p", "--package"], isTransparent: false }],
  ["pnpx", opaque],
  ["uvx", { flags: ["-q"], values: ["--from", "--with", "-p", "--python"], isTransparent: false }],
  ["firejail", opaque],
  ["rlwrap", opaque],
  ...launchers,
]);

/** Options of `xargs` that leave each word of its input one argument. */
export const xargsFlags = /^-(?:[rtpxo]+|-no-run-if-empty|-verbose|-interactive|-exit|-open-tty|-max-procs=\d+|P\d+)$/;

/** Options of `xargs` with a value in the next word. */
export const xargsValues: ReadonlyArray<string> = [
  "-a",
  "--arg-file",
  "-d",
  "--delimiter",
  "-E",
  "-I",
  "-J",
  "-R",
  "-L",
  "-S",
  "-s",
  "--max-chars",
];

/** `find` primaries that run a command up to `;` or `+`. */
export const findRunners: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** `find` primaries that choose few of the files. */
export const findNarrowing =
  /^-(?:i?name|i?path|i?wholename|i?lname|i?regex|newer.*|[acm](?:time|min)|size|empty|user|group|uid|gid|perm|inum|samefile|links)$/;

/** Options between `git` and its subcommand, with a value in the next word. */
export const gitGlobalValues: ReadonlySet<string> = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--exec-path",
  "--attr-source",
  "--shallow-file",
]);
