import type { CommandPart } from "./CommandPart.ts";
import type { Role } from "./knowledge/CommandEntry.ts";
import { compileEntry } from "./knowledge/compileEntry.ts";
import { partDeeds } from "./PartEffect.ts";

const handedOn: ReadonlySet<Role> = new Set(["unknown", "runs", "code", "passed"]);

/** Whether nobody here knows what a part does with its arguments: it may run them. */
export const mayRunArguments = (part: CommandPart): boolean => {
  const { reading } = partDeeds(part);
  return (
    reading !== undefined &&
    !part.carriesScript &&
    reading.risk !== "read" &&
    (reading.entry === undefined ||
      reading.entry.isRunner === true ||
      // Nobody has looked at all of its options.
      (reading.entry.also?.runs !== undefined && compileEntry(reading.entry).takesAnyFlag) ||
      reading.roled.some(({ role }) => handedOn.has(role)))
  );
};
