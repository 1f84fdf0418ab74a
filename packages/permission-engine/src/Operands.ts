import type { CommandPart } from "./CommandPart.ts";
import { isFileRole } from "./effectsOf.ts";
import { partDeeds } from "./PartEffect.ts";
import { isOption } from "./Program.ts";
import type { Argv } from "./Unwrapped.ts";

/** The arguments that are no options: all behind `--`, and a lone `-`. */
export const operandsOf = (argv: Argv): Argv => {
  const end = argv.findIndex((word) => word.text === "--");
  return end < 0
    ? argv.slice(1).filter((word) => !isOption(word))
    : [...argv.slice(1, end).filter((word) => !isOption(word)), ...argv.slice(end + 1)];
};

/** The words naming files that a part writes, overwrites or deletes, redirections included. */
export const writtenWords = (part: CommandPart): Argv =>
  partDeeds(part).effects.flatMap(({ kind, role, word }) =>
    (kind === "write" || kind === "delete") && (isFileRole(role) || role === "remote-writes") ? [word] : [],
  );
