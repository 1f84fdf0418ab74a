import { expect } from "vitest";
import { type CommandPolicy, decideCommand } from "../src/index.ts";

/** The folder and home that all cases assume. */
export const place = { cwd: "/srv/project", home: "/home/u" } as const;

/** A policy with these rules, in that place. */
export const policyOf = (rules: Partial<CommandPolicy> = {}): CommandPolicy => ({
  allow: [],
  deny: [],
  ...place,
  ...rules,
});

/** Allows whatever may be allowed: what is refused or asked about then, is refused whatever the rules. */
export const allowAll = policyOf({ allow: ["*"] });

/** The commands whose verdict is another than wanted, with what was said of them. Empty: all as wanted. */
const misjudged = (
  wanted: string | ReadonlyArray<string>,
  commands: ReadonlyArray<string>,
  policy: CommandPolicy = allowAll,
): ReadonlyArray<string> =>
  commands.flatMap((command) => {
    const { verdict, layer, reason } = decideCommand(command, policy);
    return [wanted].flat().includes(verdict)
      ? []
      : [`${command.slice(0, 80)} => ${verdict} (${layer}: ${reason.slice(0, 80)})`];
  });

/** Asserts one verdict for all of these commands. */
export const expectAll = (
  wanted: string | ReadonlyArray<string>,
  commands: ReadonlyArray<string>,
  policy: CommandPolicy = allowAll,
): void => expect(misjudged(wanted, commands, policy)).toEqual([]);
