import { hasOption, operandsOf, writtenWords } from "../Operands.ts";
import { isRawDevice, targetsOf } from "../TargetPath.ts";
import type { ShellWord } from "../ShellWord.ts";
import { block, type HardRule, type Suspect } from "./HardRule.ts";

// These open a file to change its name, time or mode, not its contents.
const metadataOnly: ReadonlySet<string> = new Set([
  "touch",
  "mkdir",
  "chmod",
  "chown",
  "chgrp",
  "setfacl",
  "chattr",
  "rm",
  "unlink",
  "rmdir",
]);

/** Writing to a raw disk or to memory: by redirection, `dd`, `tee`, `cp` and the like. */
export const rawDeviceWrite: HardRule = (suspect) => {
  const { part, program } = suspect;
  const redirected = part.redirects.filter((redirect) => redirect.isWrite).map((redirect) => redirect.target);
  const words = metadataOnly.has(program) ? redirected : writtenWords(part);
  const found = words.find((word) => isDevice(suspect, word));
  return found === undefined ? undefined : block("raw-device-write", `it overwrites the device ${found.text}`);
};

const isDevice = ({ part }: Suspect, word: ShellWord): boolean =>
  targetsOf(word, { known: part.folders, isUnknown: part.isFolderUnknown }).some(isRawDevice);

const makesFileSystem = /^(?:mkfs|newfs|mke2fs|mkdosfs|mkntfs|mkswap)(?:[._-].*)?$/;
const partitions: ReadonlySet<string> = new Set([
  "fdisk",
  "sfdisk",
  "cfdisk",
  "gdisk",
  "sgdisk",
  "parted",
  "blkdiscard",
]);

/** Formatting and wiping of disks. */
export const formatting: HardRule = (suspect) => {
  const { argv, program } = suspect;
  const words = argv.map((word) => word.text);
  const onDevice = operandsOf(argv).some((word) => isUnderDev(suspect, word));
  const does =
    (makesFileSystem.test(program) && onDevice) ||
    (program === "wipefs" && hasOption(argv, "ao", "--all", "--offset") && onDevice) ||
    (partitions.has(program) && onDevice && !hasOption(argv, "lp", "--list", "--print") && !words.includes("print")) ||
    (program === "cryptsetup" && words.some((word) => /^(?:luksformat|erase|lukserase|reencrypt)$/i.test(word))) ||
    (program === "diskutil" &&
      words.some((word) => /^(?:erase|reformat|partitiondisk|zerodisk|randomdisk|secureerase)/i.test(word))) ||
    (program === "hdparm" && words.some((word) => word.startsWith("--security-erase"))) ||
    (program === "nvme" && /^(?:format|sanitize)$/.test(words[1] ?? "")) ||
    (program === "badblocks" && hasOption(argv, "w") && onDevice) ||
    (program === "pvcreate" && onDevice) ||
    (program === "zpool" && words[1] === "destroy") ||
    (program === "mdadm" && words.includes("--zero-superblock")) ||
    (/^format(?:\.com)?$/.test(program) && words.some((word) => /^[a-z]:/i.test(word)));
  return does ? block("format", `it formats or wipes a disk with ${program}`) : undefined;
};

const isUnderDev = ({ part }: Suspect, word: ShellWord): boolean =>
  /^r?disk\d/.test(word.text) ||
  targetsOf(word, { known: part.folders, isUnknown: false }).some(
    (target) => target.startsWith("/dev/") || target.includes("\uE002"),
  );
