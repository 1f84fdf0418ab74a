import { type ChildProcess, spawn } from "node:child_process";
import { killGroup } from "./endProcesses.node.ts";

// Reads which calls run (`+ token pid`, `- token`) until its input ends, which it does however this process ends: then
// it ends what is left of them. It finds processes as `processesOf` does, except by output; first it stops them all, so
// that none starts another one unseen.
const script = `
calls=
while read -r action token pid; do
  kept=
  for call in $calls; do
    [ "\${call%%:*}" = "$token" ] || kept="$kept $call"
  done
  calls=$kept
  [ "$action" = - ] || calls="$calls $token:$pid"
done
[ -n "$calls" ] || exit 0
known=" "
for call in $calls; do
  root=\${call#*:}
  [ -z "$root" ] || known="$known$root "
done
if [ ! -r /proc/self/stat ]; then
  for signal in TERM KILL; do
    for root in $known; do kill -s $signal -- "-$root" 2>/dev/null; done
    [ $signal = KILL ] || sleep 1
  done
  exit 0
fi
look() {
  set --
  for call in $calls; do set -- "$@" -e "\${call%%:*}"; done
  for path in $(grep -lsF "$@" /proc/[0-9]*/environ); do
    pid=\${path#/proc/}
    known="$known\${pid%/environ} "
  done
  running=
  for path in /proc/[0-9]*/stat; do
    { read -r line <"$path"; } 2>/dev/null || continue
    case $line in *") "*) ;; *) line=$(cat "$path" 2>/dev/null) ;; esac
    pid=\${path#/proc/}
    pid=\${pid%/stat}
    set -- \${line##*") "}
    case $1 in [A-Z]) ;; *) continue ;; esac
    case $1 in Z | X) continue ;; esac
    [ "$pid" != $$ ] || continue
    for near in "$pid" "$2" "$3" "$4"; do
      case $known in *" $near "*) running="$running $pid"; known="$known$pid "; break ;; esac
    done
  done
}
each() { for pid in $running; do kill -s "$1" "$pid" 2>/dev/null; done; }
for round in 1 2 3 4; do look; each STOP; done
each TERM
each CONT
for round in 1 2 3 4 5 6 7 8 9 10; do
  sleep 0.1 2>/dev/null || sleep 1
  look
  [ -n "$running" ] || break
done
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  look
  [ -n "$running" ] || exit 0
  each KILL
  sleep 0.1 2>/dev/null || sleep 1
done
`;

const guarded = new Map<string, number | undefined>();
let guardian: ChildProcess | undefined;
let isGuarding = false;

/**
 * Notes a call that is about to start a shell. However this process ends from now on, and be it by SIGKILL, the processes
 * of the call end with it, as far as they are found by token, session, group and parents.
 */
export const guard = (token: string): void => {
  guarded.set(token, undefined);
  if (!isGuarding) {
    isGuarding = true;
    process.once("exit", atExit);
  }
  if (guardian === undefined) start();
  else tell(`+ ${token}\n`);
};

/** Notes the shell of a call that is guarded. */
export const guardShell = (token: string, root: number): void => {
  guarded.set(token, root);
  tell(`+ ${token} ${root}\n`);
};

/** The call is over, and nothing of it is left. */
export const unguard = (token: string): void => {
  guarded.delete(token);
  tell(`- ${token}\n`);
};

const tell = (line: string): void => void (guardian?.stdin?.writable === true && guardian.stdin.write(line));

// Leaves this process free to end, and its terminal alone.
const start = (): void => {
  const { KUMIKO_CALL: outer, PATH: path = "/usr/local/bin:/usr/bin:/bin" } = process.env;
  const child = spawn("sh", ["-c", script, "kumiko-guardian"], {
    cwd: "/",
    detached: true,
    env: { PATH: path, ...(outer === undefined ? {} : { KUMIKO_CALL: outer }) },
    stdio: ["pipe", "ignore", "ignore"],
  });
  guardian = child;
  const gone = (): void => {
    if (guardian === child) guardian = undefined;
  };
  // Without a shell no command runs either. One that somebody ended is replaced with the next call.
  child.once("error", gone);
  child.once("exit", gone);
  child.stdin.on("error", gone);
  child.unref();
  if ("unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref();
  for (const [token, root] of guarded) tell(`+ ${token}${root === undefined ? "" : ` ${root}`}\n`);
};

const atExit = (): void => {
  for (const root of guarded.values()) if (root !== undefined) killGroup(root);
  if (guarded.size === 0) guardian?.kill("SIGKILL");
};
