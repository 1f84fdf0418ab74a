import { type Wrapper, words } from "./Wrapper.ts";

const nothing: Wrapper = { isTransparent: false };

/** Programs that start another one: limited, watched, measured, later, in the background, in a changed surrounding. */
export const launchers: ReadonlyArray<readonly [name: string, wrapper: Wrapper]> = [
  [
    "prlimit",
    {
      flags: words(
        "--as --core --cpu --data --fsize --locks --memlock --msgqueue --nice --nofile --nproc --rss --rtprio --rttime --sigpending --stack --noheadings --raw --verbose -c -d -e -f -i -l -m -n -q -r -s -t -u -v -x -y",
      ),
      values: words("-o --output"),
      queries: words("-p --pid -h --help -V --version"),
      isTransparent: false,
    },
  ],
  ["setarch", { flags: words("-R -3 -B -L -S -Z -F -v"), operands: 1, startsShell: true, isTransparent: false }],
  ...["linux32", "linux64", "i386", "x86_64", "uname26"].map(
    (name) => [name, { flags: words("-R -3 -B -L -v"), startsShell: true, isTransparent: false }] as const,
  ),
  [
    "fakeroot",
    {
      values: words("-l --lib -f --faked -s -i -b"),
      flags: words("-u --unknown-is-real"),
      startsShell: true,
      isTransparent: false,
    },
  ],
  ["faketime", { flags: words("-f -m"), values: words("-p"), operands: 1, isTransparent: false }],
  ["proot", { values: words("-r -b -w -q -k"), flags: words("-0"), startsShell: true, isTransparent: false }],
  ["valgrind", { flags: words("-q -v"), isTransparent: false }],
  ["catchsegv", nothing],
  ["chronic", { flags: words("-v -e"), isTransparent: false }],
  ["ifne", { flags: words("-n"), isTransparent: false }],
  ["tsocks", nothing],
  ["sshpass", { values: words("-f -d -p -P"), flags: words("-e -v"), isTransparent: false }],
  [
    "chpst",
    {
      values: words("-u -U -b -e -/ -n -l -L -m -d -o -p -f -c"),
      flags: words("-v -V -P -0 -1 -2"),
      isTransparent: false,
    },
  ],
  ["softlimit", { values: words("-a -c -d -f -l -m -o -p -r -s -t"), isTransparent: false }],
  ...["setuidgid", "s6-setuidgid", "envdir", "setlock", "envchain"].map(
    (name) => [name, { operands: 1, isTransparent: false }] as const,
  ),
  ["sg", { scripts: words("-c"), operands: 1, joins: true, startsShell: true, isTransparent: false }],
  ["capsh", { behind: ["--", "=="], startsShell: true, isTransparent: false }],
  ["newgrp", { flags: words("-"), startsShell: true, isTransparent: false }],
  ["ssh-agent", { flags: words("-c -D -d -k -s"), values: words("-a -E -O -P -t"), isTransparent: false }],
  ["dbus-run-session", { values: words("--config-file --dbus-daemon"), flags: words("--"), isTransparent: false }],
  ["cross-env", { assigns: true, isTransparent: false }],
  ["cross-env-shell", { assigns: true, joins: true, isTransparent: false }],
  [
    "env-cmd",
    {
      values: words("-f --file -e --environments -r --rc-file"),
      flags: words("--silent --no-override -x"),
      isTransparent: false,
    },
  ],
  ["dotenv", { values: words("-e -v -f -c"), flags: words("-o"), behind: ["--"], isTransparent: false }],
  ["entr", { flags: words("-a -c -d -n -p -r -z -x"), scripts: words("-s"), isTransparent: false }],
  [
    "watchexec",
    {
      values: words(
        "-e --exts -w --watch -W -i --ignore -f --filter -d --debounce -s --signal -o --on-busy-update --stop-signal",
      ),
      flags: words(
        "-c --clear -r --restart -n -p --postpone -q --quiet -v -N --notify --no-vcs-ignore --no-project-ignore",
      ),
      joins: true,
      isTransparent: false,
    },
  ],
  [
    "screen",
    {
      values: words("-S -t -T -s -e -h -p"),
      flags: words("-d -m -D -R -a -A -i -l -L -O -q -U -x -r"),
      queries: words("-ls -list -wipe -v"),
      isTransparent: false,
    },
  ],
  ["dtach", { values: words("-c -n -A -e -r"), flags: words("-E -z"), queries: words("-a -p"), isTransparent: false }],
  ["daemonize", { values: words("-c -e -E -l -o -p -u"), flags: words("-a -v"), isTransparent: false }],
  // They run what they read, later: the words of `at` are a time.
  [
    "at",
    {
      values: words("-t -q"),
      flags: words("-m -M -b -k"),
      queries: words("-l -r -d -c -V"),
      operands: Number.POSITIVE_INFINITY,
      startsShell: true,
      isTransparent: false,
    },
  ],
  ["batch", { startsShell: true, isTransparent: false }],
  [
    "nix-shell",
    {
      values: words("-p --packages -A --attr -I -i --argstr"),
      flags: words("--pure --impure --quiet"),
      scripts: words("--run --command"),
      operands: Number.POSITIVE_INFINITY,
      startsShell: true,
      isTransparent: false,
    },
  ],
];
