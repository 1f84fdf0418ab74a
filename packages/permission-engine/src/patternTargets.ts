import type { CommandEffect, Resource } from "@kumiko/plugin-api";
import { analyseCommand } from "./analyseCommand.ts";
import type { CommandPolicy } from "./CommandPolicy.ts";
import { isFileRole, placesOf } from "./effectsOf.ts";
import { mark } from "./internal/marks.ts";
import { partDeeds } from "./PartEffect.ts";

/** Files that a command names by a pattern, and what it does to them. */
export interface PatternTarget {
  /** Absolute, with the pattern as written. */
  readonly path: string;
  readonly mode: Resource["mode"];
  readonly kind: CommandEffect["kind"];
}

/** More are not looked up: the command itself is judged by where its patterns certainly lie. */
const mostTargets = 64;

/** The patterns that Bash expands to files, of all parts of a command. */
export const patternTargets = (
  command: string,
  { cwd, home }: Pick<CommandPolicy, "cwd" | "home">,
): ReadonlyArray<PatternTarget> => {
  // Most commands have none: they need no second reading.
  if (!/[*?[]/.test(command)) return [];
  const found = analyseCommand(command, { cwd, home }).parts.flatMap((part) =>
    part.isRemote === true
      ? []
      : partDeeds(part).effects.flatMap(({ isElsewhere, kind, role, word }) =>
          !isElsewhere &&
          isFileRole(role) &&
          !word.isStatic &&
          !word.shape.includes(mark.unknown) &&
          /[*?[]/.test(word.text)
            ? placesOf(word.text, part.folders).map((path) => ({
                path,
                kind,
                mode: kind === "read" ? ("read" as const) : ("write" as const),
              }))
            : [],
        ),
  );
  return found.slice(0, mostTargets);
};
