import type { CommandEntry } from "./CommandEntry.ts";

/** Commands of the shell itself. What they do to later commands is followed elsewhere; here is what they do to files. */
export const builtins: ReadonlyArray<CommandEntry> = [
  {
    command: "echo",
    risk: "read",
    operands: "text*",
    flags: "*",
    isSafe: true,
    examples: { 'echo "rm -rf /"': "allow read", "echo -n a b": "allow", "echo $(id)": "ask" },
  },
  {
    command: "printf",
    risk: "read",
    operands: "text*",
    flags: "",
    isSafe: true,
    examples: { "printf '%s\\n' a": "allow read", "printf -v x a": "ask" },
  },
  {
    command: "pwd | true | false | :",
    risk: "read",
    operands: "text*",
    flags: "-L -P --logical --physical --help --version",
    isSafe: true,
    examples: { pwd: "allow read", "pwd -P": "allow", true: "allow" },
  },
  {
    command: "seq | yes | factor | expr | cal | ncal",
    risk: "read",
    operands: "text*",
    flags: "-f= -s= -w -1 -3 -y -m -n= -h -j --equal-width --format= --separator=",
    examples: { "seq 1 10": "ask read" },
  },
  {
    command:
      "cd | pushd | popd | dirs | set | unset | export | local | declare | typeset | readonly | read | mapfile | readarray | shift | let | " +
      "getopts | wait | fg | bg | disown | exit | return | break | continue | umask | ulimit | times | fc | history | help | " +
      "complete | compgen | compopt | suspend | logout",
    risk: "read",
    operands: "text*",
    flags: "*",
    examples: { "cd sub": "ask read", "export A=1": "ask read", wait: "ask read" },
  },
  {
    command: "history -w | history -a | history -r | history -n",
    risk: "local-write",
    operands: "writes",
    examples: { "history -a ~/.bashrc": "ask local-write write:/home/u/.bashrc" },
  },
  {
    command: "jobs",
    risk: "read",
    operands: "text*",
    flags: "-l -n -p -r -s",
    // It runs what is given to it.
    options: { "-x": "redefines" },
    isSafe: true,
    examples: { "jobs -l": "allow read", "jobs -x id": "ask" },
  },
  {
    command: "sleep",
    risk: "read",
    operands: "text*",
    flags: "--help --version",
    examples: { "sleep 5": "ask read" },
  },
  {
    command: "date",
    risk: "read",
    operands: "text*",
    flags:
      "-u -R -I[=] -d= -j -v= -n --utc --universal --iso-8601[=] --rfc-3339= --rfc-email --date= --debug --help --version",
    options: { "-s= --set=": "irreversible", "-r= --reference=": "lists", "-f= --file=": "unknown" },
    // Without a plus it sets the clock.
    firstFits: /^(?:\+.*|)$/s,
    unless: /^\d/,
    isSafe: true,
    examples: {
      date: "allow read",
      "date +%s": "allow",
      "date -u -Iseconds": "allow",
      "date -s 10:00": "ask irreversible",
      "date 01011200": "ask",
    },
  },
];
