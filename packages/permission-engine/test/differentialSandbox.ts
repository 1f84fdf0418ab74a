import { spawn } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stubNames } from "./generatorWord.ts";

/** A program that ran, with the arguments it was given. */
export interface Ran {
  readonly name: string;
  readonly args: ReadonlyArray<string>;
}

/** What a script did. */
interface Trace {
  readonly ran: ReadonlyArray<Ran>;
  /** It was stopped at the time limit. */
  readonly isCut: boolean;
}

/** A folder with stub programs in which one script at a time is run by the real Bash. */
export interface Sandbox extends Disposable {
  readonly cwd: string;
  readonly home: string;
  readonly run: (script: string) => Promise<Trace>;
}

/** The Bash that scripts are run by. */
export const bash = "/bin/bash";

const mostMillis = 4_000;
const isRoot = process.getuid?.() === 0;
// As root, scripts run as nobody: whatever a generator comes up with, it cannot change the machine.
const nobody = { uid: 65_534, gid: 65_534 };
// The bound on processes counts for the whole user, hence only for a user that nobody else is.
const limits = `ulimit -t 2 -f 200 -c 0${isRoot ? " -p 300" : ""}`;

const systemPath = (name: string): string | undefined =>
  ["/usr/bin", "/bin"].map((folder) => join(folder, name)).find((path) => existsSync(path));

// Wrappers that do their real work, once the call is written down.
const real = "env nohup nice ionice timeout stdbuf setsid xargs find cat chmod flock bash sh dash".split(" ");

// `values` is a pattern of options with a value.
const skipOptions = (values: string): string =>
  `while :; do case $1 in --) shift; break;; ${values}) shift 2;; -?*|*=*) shift;; *) break;; esac; done`;

// The command behind the options, which real `sudo` and `time` run, too.
const runRest = (values: string): string => `${skipOptions(values)}\nexec "$@"`;

const actions: ReadonlyArray<readonly [name: string, action: string]> = [
  ...[...stubNames, "tool", "which"].map((name) => [name, ""] as const),
  ...real.map((name) => [name, `exec ${systemPath(name) ?? "false"} "$@"`] as const),
  ...["say", "echo"].map((name) => [name, String.raw`printf '%s\n' "$*"`] as const),
  ["printf", 'printf "$@"'],
  ["test", 'test "$@"'],
  ["time", runRest("-f")],
  ["sudo", runRest("-*u")],
  ["doas", runRest("-u")],
  ["busybox", 'exec "$@"'],
  // What machines of their own, containers and terminals would run.
  ["ssh", `${skipOptions("-p")}\nshift\n[ $# -gt 0 ] && exec /bin/sh -c "$*"`],
  [
    "docker",
    // Unlike before other programs, `A=1` is no setting here but the image.
    `case $1 in exec|run) shift;; *) exit;; esac\n${skipOptions("-e").replace("-?*|*=*", "-?*")}\nshift\nexec "$@"`,
  ],
  ["kubectl", '[ "$1" = exec ] || exit\nwhile [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done\nshift\nexec "$@"'],
  ["su", 'while [ $# -gt 0 ] && [ "$1" != -c ]; do shift; done\nexec /bin/sh -c "$2"'],
  ["watch", `${skipOptions("-n")}\nexec /bin/sh -c "$*"`],
];

/** Makes a sandbox; disposing of it removes the folder. */
export const makeSandbox = (): Sandbox => {
  const root = mkdtempSync(join(tmpdir(), "kumiko-bash-"));
  const at = (name: string): string => join(root, name);
  const [bin, cwd, home, log] = [at("bin"), at("work"), at("home"), at("log")];
  for (const folder of [bin, cwd, home]) mkdirSync(folder);
  const stub = (name: string, action: string): string =>
    `#!/bin/sh\nprintf '%s\\0' "$#" ${name} "$@" >>${log}\n${action}\n`;
  for (const [name, action] of actions) writeFileSync(join(bin, name), stub(name, action), { mode: 0o755 });
  if (isRoot) for (const folder of [root, cwd, home]) chownSync(folder, nobody.uid, nobody.gid);

  let isUsed = true;
  const furnish = (): void => {
    if (isUsed) {
      for (const folder of [cwd, home])
        for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
      mkdirSync(join(cwd, "dir"));
      writeFileSync(join(cwd, "f1"), "one from file\n");
      writeFileSync(join(cwd, "f2"), "");
      writeFileSync(join(cwd, "g h"), "");
      writeFileSync(join(cwd, "tool"), stub("tool", ""), { mode: 0o755 });
      if (isRoot) chownSync(join(cwd, "dir"), nobody.uid, nobody.gid);
    }
    rmSync(log, { force: true });
  };

  const run = (script: string): Promise<Trace> =>
    new Promise((resolve, reject) => {
      furnish();
      let isCut = false;
      const child = spawn("/bin/sh", ["-c", `${limits}; exec ${bash} --norc --noprofile -c "$0"`, script], {
        cwd,
        env: { PATH: bin, HOME: home, FUNCNEST: "12" },
        // Whatever the script leaves running holds the last one: its end is the end of all.
        stdio: ["ignore", "ignore", "ignore", "ignore", "ignore", "ignore", "ignore", "ignore", "ignore", "pipe"],
        detached: true,
        ...(isRoot ? nobody : {}),
      });
      const timer = setTimeout(() => {
        isCut = true;
        try {
          if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        } catch {
          // It has just ended by itself.
        }
      }, mostMillis);
      child.on("error", reject);
      child.on("close", () => {
        clearTimeout(timer);
        // Nothing on PATH writes: only redirections do.
        isUsed = script.includes(">");
        resolve({ ran: existsSync(log) ? readLog(readFileSync(log, "utf8")) : [], isCut });
      });
    });
  return { cwd, home, run, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
};

// Each call is its number of arguments, its name and its arguments, all ended by NUL.
const readLog = (text: string): ReadonlyArray<Ran> => {
  const fields = text.split("\0");
  const ran: Array<Ran> = [];
  for (let at = 0; at + 1 < fields.length;) {
    const count = Number(fields[at]);
    ran.push({ name: fields[at + 1] ?? "", args: fields.slice(at + 2, at + 2 + count) });
    at += 2 + count;
  }
  return ran;
};
