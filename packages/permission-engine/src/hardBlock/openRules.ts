import { mark } from "../internal/marks.ts";
import type { Role } from "../knowledge/CommandEntry.ts";
import type { ShellWord } from "../ShellWord.ts";
import { type HardRule, open } from "./HardRule.ts";

const changers: ReadonlySet<Role> = new Set([
  "writes",
  "remote-writes",
  "chmods",
  "deletes",
  "moves",
  "mirrors",
  "formats",
  "wipes",
]);

/** A file or a process that any of the fixed rules may be about, because it is only known when the command runs. */
export const openTarget: HardRule = ({ effects }) => {
  const changed = effects.find(({ isRedirect, role, word }) => !isRedirect && changers.has(role) && isOpen(word));
  if (changed !== undefined)
    return open("unknown-target", `it changes a file that is only known when it runs: ${changed.word.source}`);
  const killed = effects.find(({ role, word }) => role === "kills" && isOpen(word) && !ownProcess.test(word.source));
  return killed === undefined
    ? undefined
    : open("unknown-target", `which process it ends is only known when it runs: ${killed.word.source}`);
};

/** Code that is only known when the command runs. */
export const openCode: HardRule = ({ part, reading }) => {
  const roled = reading?.roled.flatMap(({ role, word }) => (role === "code" || role === "script" ? [word] : [])) ?? [];
  const code = [...part.code, ...roled].find(({ shape }) => shape.includes(mark.unknown));
  return code === undefined
    ? undefined
    : open("unknown-code", `what code it runs is only known when it runs: ${code.source}`);
};

// The shell itself and the last one that it started.
const ownProcess = /^"?\$\{?[!$]\}?"?$/;

const isOpen = ({ isMany, shape }: ShellWord): boolean =>
  shape.startsWith(mark.unknown) || (isMany === true && shape.includes(mark.unknown));
