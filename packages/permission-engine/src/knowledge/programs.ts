import type { Risk } from "@kumiko/plugin-api";

/** What a program does with its operands. */
type OperandUse = "read" | "write" | "delete" | "last-written" | "moved" | "connect" | "text" | "unknown";

/** What is known of a program: its worst risk and what its operands are. */
export interface Program {
  readonly risk: Risk;
  readonly operands: OperandUse;
  /** Options whose value is a file that is written. */
  readonly writes?: ReadonlyArray<string>;
}

const readers =
  "cat tac head tail less more wc stat file du grep egrep fgrep rg ag ack cut paste fold fmt nl rev expand unexpand column comm diff " +
  "cmp strings od hexdump md5sum md5 sha1sum sha224sum sha256sum sha384sum sha512sum shasum cksum sum b2sum ls tree realpath readlink " +
  "jq zcat zgrep bat";
const texts =
  "echo printf pwd true false : test [ seq basename dirname tr date cal uptime uname arch nproc tty groups id whoami which type whereis " +
  "sleep ps pgrep";
const connectors =
  "curl wget wget2 fetch aria2c axel lynx w3m http https xh httpie nc ncat netcat socat telnet ftp tftp ssh scp sftp ping " +
  "traceroute dig nslookup host whois";

const several = (names: string, program: Program): ReadonlyArray<readonly [string, Program]> =>
  names.split(" ").map((name) => [name, program] as const);

/** Programs by name. A program that is not listed has unknown effects and counts as `remote-write`. */
export const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...several(readers, { risk: "read", operands: "read" }),
  ...several(texts, { risk: "read", operands: "text" }),
  ...several(connectors, {
    risk: "remote-write",
    operands: "connect",
    writes: ["-o", "-O", "--output", "--output-document", "--output-dir", "-P"],
  }),
  ...several("sort uniq base64 xxd yq", { risk: "local-write", operands: "read", writes: ["-o", "--output"] }),
  ...several("touch tee mkdir truncate sponge vi vim nvim nano emacs ed ex chmod chown chgrp setfacl chattr", {
    risk: "local-write",
    operands: "write",
  }),
  ...several("cp install ln rsync gcp ginstall ditto", {
    risk: "local-write",
    operands: "last-written",
    writes: ["-t", "--target-directory"],
  }),
  ...several("mv gmv rename", { risk: "local-write", operands: "moved", writes: ["-t", "--target-directory"] }),
  ...several("rm rmdir unlink shred srm trash grm", { risk: "irreversible", operands: "delete" }),
  ...several("sed gsed", { risk: "local-write", operands: "write" }),
  ...several("tar unzip zip gzip gunzip", { risk: "local-write", operands: "unknown", writes: ["-C", "-d"] }),
  ...several("dd mkfs wipefs blkdiscard fdisk parted sgdisk diskutil cryptsetup mkswap shutdown reboot halt poweroff", {
    risk: "irreversible",
    operands: "unknown",
  }),
  ...several("cd pushd popd export set unset wait exit return break continue shift read local declare", {
    risk: "read",
    operands: "text",
  }),
  ...several("make gmake cmake ninja pytest tsc gofmt rustfmt prettier eslint", {
    risk: "local-write",
    operands: "unknown",
  }),
]);

/** Subcommands whose risk differs from their program's; the first that fits counts. Words after the program, as a prefix. */
export const subcommandRisks: ReadonlyMap<string, ReadonlyArray<readonly [words: string, risk: Risk]>> = new Map([
  [
    "git",
    [
      ["push --force", "irreversible"],
      ["push -f", "irreversible"],
      ["push --mirror", "irreversible"],
      ["push --delete", "irreversible"],
      ["push", "remote-write"],
      ["reset --hard", "irreversible"],
      ["clean", "irreversible"],
      ["reflog expire", "irreversible"],
      ["gc", "irreversible"],
      ...(
        "add commit checkout switch restore merge rebase cherry-pick revert stash tag branch mv rm init apply am fetch pull clone " +
        "worktree bisect reset"
      )
        .split(" ")
        .map((word) => [word, "local-write"] as const),
    ],
  ],
  ["go", "build test vet fmt generate install get mod".split(" ").map((word) => [word, "local-write"] as const)],
  ["cargo", "build test check clippy bench doc fmt run".split(" ").map((word) => [word, "local-write"] as const)],
  ["npm", "test run ci install".split(" ").map((word) => [word, "local-write"] as const)],
]);
