import type { Role } from "../knowledge/CommandEntry.ts";
import { mark } from "../internal/marks.ts";
import { isRawDevice, targetsOf } from "../TargetPath.ts";
import { plainWord, type ShellWord } from "../ShellWord.ts";
import { block, grave, type HardRule, type Suspect } from "./HardRule.ts";

// What opens a file to change its contents; `touches` and `chmods` change its name, time or mode.
const overwriters: ReadonlySet<Role> = new Set(["writes", "remote-writes", "mirrors", "moves"]);

const possibleOverwriters: ReadonlySet<Role> = new Set(["may-write", "mounts"]);
const rule = "raw-device-write";

/** Writing to a raw disk or to memory, whatever writes. */
export const rawDeviceWrite: HardRule = (suspect) => {
  const on = (roles: ReadonlySet<Role>) =>
    suspect.effects.find(({ role, word }) => roles.has(role) && isDevice(suspect, word));
  const found = on(overwriters);
  if (found !== undefined) return block(rule, `it overwrites the device ${found.word.text}`);
  const possible =
    on(possibleOverwriters) ??
    unknownDevice(suspect) ??
    suspect.effects.find((effect) => overwriters.has(effect.role) && mayBeDevice(suspect, effect.word));
  return possible === undefined ? undefined : grave(rule, `it may overwrite the device ${possible.word.text}`);
};

// What nobody knows may write what it is given.
const unknownDevice = (suspect: Suspect): { readonly word: ShellWord } | undefined => {
  const { reading } = suspect;
  if (reading === undefined || reading.risk === "read") return undefined;
  const words = reading.roled.flatMap(({ role, word }) => (role === "unknown" || role === "code" ? [word] : []));
  return [...words, ...suspect.part.code]
    .flatMap((word) => [
      word,
      ...word.text
        .slice(0, 4096)
        .split(/[\s"'`(),=:;]+/)
        .map(plainWord),
    ])
    .filter((word) => word.text.startsWith("/dev/"))
    .map((word) => ({ word }))
    .find(({ word }) => isDevice(suspect, word));
};

const isDevice = ({ part }: Suspect, word: ShellWord): boolean =>
  targetsOf(word, { known: part.folders, isUnknown: part.isFolderUnknown }).some(isRawDevice);

// `/dev/$X`
const mayBeDevice = ({ part, program }: Suspect, word: ShellWord): boolean =>
  targetsOf(word, { known: part.folders, isUnknown: part.isFolderUnknown }).some((target) =>
    /^\/dev\/[^/]*\uE002/.test(target),
  ) ||
  // What is made to write disks.
  (diskWriters.has(program) && word.shape.startsWith(mark.unknown));

const diskWriters: ReadonlySet<string> = new Set(["dd", "gdd", "dcfldd", "ddrescue"]);

/** Formatting and wiping of disks. */
export const formatting: HardRule = (suspect) =>
  suspect.effects.some(({ role, word }) => role === "wipes" || (role === "formats" && isUnderDev(suspect, word)))
    ? block("format", `it formats or wipes a disk with ${suspect.program}`)
    : undefined;

const isUnderDev = ({ part }: Suspect, word: ShellWord): boolean =>
  /^r?disk\d/.test(word.text) ||
  targetsOf(word, { known: part.folders, isUnknown: false }).some(
    (target) => target.startsWith("/dev/") || target.includes("\uE002"),
  );
