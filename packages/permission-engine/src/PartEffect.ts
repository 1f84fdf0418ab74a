import type { CommandEffect, Risk } from "@kumiko/plugin-api";
import { worseRisk } from "@kumiko/plugin-api";
import { type CommandPart, innermost } from "./CommandPart.ts";
import type { Role } from "./knowledge/CommandEntry.ts";
import { landings } from "./landings.ts";
import { opensNothing } from "./opensNothing.ts";
import { type CommandReading, readCommand, workingFolder } from "./readCommand.ts";
import { plainWord, type ShellWord } from "./ShellWord.ts";

/** One thing a part would do to what a word names. */
export interface PartEffect {
  readonly kind: CommandEffect["kind"];
  /** What exactly: two roles of one kind differ in how grave they are. */
  readonly role: Role;
  readonly word: ShellWord;
  /** All below it is meant, too. */
  readonly isRecursive: boolean;
  /** Bash itself opens the file. */
  readonly isRedirect: boolean;
  /** It is what the command does by itself, such as writing to the repository: no word names it. */
  readonly isUnnamed?: true;
  /** It is a file that a copy would make in a folder: not listed beside the folder. */
  readonly isLanding?: true;
  /** It happens on another machine, or in a container. */
  readonly isElsewhere: boolean;
}

/** What a part would do. */
export interface PartDeeds {
  readonly effects: ReadonlyArray<PartEffect>;
  readonly risk: Risk;
  /** How its arguments were read; undefined where no program runs. */
  readonly reading: CommandReading | undefined;
}

const kinds: Readonly<Partial<Record<Role, CommandEffect["kind"]>>> = {
  reads: "read",
  lists: "read",
  "remote-reads": "read",
  writes: "write",
  touches: "write",
  links: "write",
  chmods: "write",
  "may-write": "write",
  makes: "write",
  "remote-writes": "write",
  targets: "read",
  deletes: "delete",
  moves: "delete",
  mirrors: "delete",
  mounts: "write",
  formats: "delete",
  wipes: "delete",
  kills: "delete",
  connects: "connect",
  runs: "execute",
  code: "execute",
  script: "execute",
  redefines: "unknown",
  unknown: "unknown",
};

const ofWrappers: ReadonlySet<Role> = new Set(["connects", "reads", "writes", "runs", "code", "mounts"]);

const seen = new WeakMap<CommandPart, PartDeeds>();

/** What a part would do: its own program's arguments and its redirections. Worked out once for each part. */
export const partDeeds = (part: CommandPart): PartDeeds => {
  const found = seen.get(part);
  if (found !== undefined) return found;
  const made = workOut(part);
  seen.set(part, made);
  return made;
};

const workOut = (part: CommandPart): PartDeeds => {
  const argv = innermost(part);
  const reading = argv.length === 0 ? undefined : readCommand(argv);
  const effects: Array<PartEffect> = [];
  const add = (role: Role, word: ShellWord, by: "program" | "also" | "wrapper" | "redirection" | "landing"): void => {
    const kind = kinds[role];
    const named = role === "mounts" ? mountedFolder(word) : word;
    if (kind === undefined || named === undefined) return;
    const isRecursive = part.isRecursive || (reading?.isRecursive ?? false);
    const isElsewhere = part.isRemote === true && by !== "wrapper" && by !== "redirection";
    const effect = { kind, role, word: named, isRecursive, isElsewhere, isRedirect: by === "redirection" };
    effects.push(
      by === "landing" ? { ...effect, isLanding: true } : by === "also" ? { ...effect, isUnnamed: true } : effect,
    );
  };
  // What only passes a script on does nothing itself: the script's commands are parts of their own.
  if (reading !== undefined && !part.carriesScript) {
    if (reading.entry === undefined) {
      add("runs", argv[0] ?? plainWord(part.source), "program");
      add("unknown", plainWord(`what ${reading.words} does`), "program");
    }
    for (const { role, word } of reading.roled)
      if (word === workingFolder && part.isPiped === true) continue;
      else if (reading.entry !== undefined || role !== "unknown") add(role, word, "program");
    for (const { role, word } of landings(reading)) add(role, word, "landing");
    for (const [role, target] of Object.entries(reading.also)) add(roleOfAlso(role), plainWord(target), "also");
  }
  // What a wrapper does itself: the host that `ssh` talks to, the file that `docker run --env-file` reads.
  for (const { argv: outer, isTransparent } of part.levels.slice(0, -1)) {
    if (isTransparent) continue;
    const { roled, also } = readCommand(outer);
    for (const { role, word } of roled) if (ofWrappers.has(role)) add(role, word, "wrapper");
    if (also.connects !== undefined) add("connects", plainWord(also.connects), "wrapper");
  }
  let writes = false;
  for (const { target, isWrite, isSubstitution } of part.redirects) {
    if (isSubstitution || opensNothing(target)) continue;
    writes ||= isWrite;
    add(isWrite ? "writes" : "reads", target, "redirection");
    // Bash opens a connection there.
    const [, host, port] = /^\/dev\/(?:tcp|udp)\/([^/]*)\/(.*)$/s.exec(target.text) ?? [];
    if (host !== undefined && port !== undefined)
      add(
        "connects",
        { ...target, text: `${host}:${port}`, shape: target.shape.replace(/^\/dev\/[a-z]+\//, "") },
        "redirection",
      );
  }
  return { effects, risk: riskOf(part, reading, writes), reading };
};

// `/folder:/place:ro`, `type=bind,source=/folder,target=/place`; a name without a slash is a volume of the engine.
const mountedFolder = (word: ShellWord): ShellWord | undefined => {
  const [, before = "", folder = ""] =
    /^((?:.*,)?(?:source|src)=)([^,]*)/s.exec(word.shape) ?? /^()([^:,]*):/s.exec(word.shape) ?? [];
  if (!/^[./~]|[\uE000-\uE006]/.test(folder)) return undefined;
  return { ...word, text: word.text.slice(before.length, before.length + folder.length), shape: folder };
};

const roleOfAlso = (role: string): Role => {
  switch (role) {
    case "reads":
    case "writes":
    case "deletes":
    case "runs":
    case "connects":
      return role;
    default:
      return "unknown";
  }
};

const riskOf = (part: CommandPart, reading: CommandReading | undefined, writes: boolean): Risk => {
  let risk: Risk = writes ? "local-write" : "read";
  if (reading !== undefined && !part.carriesScript) risk = worseRisk(risk, reading.risk);
  const isPowerful = part.levels.slice(0, -1).some((level) => !level.isTransparent);
  return isPowerful || part.doubts.length > 0 ? worseRisk("remote-write", risk) : risk;
};
