import { type CommandPart, innermost } from "./CommandPart.ts";
import { downloaders, downloadingCommands } from "./knowledge/downloaders.ts";
import { partDeeds } from "./PartEffect.ts";
import { programName } from "./Program.ts";

const networkFile = /^\/dev\/(?:tcp|udp)\//;

/** Whether a part reads from a connection that Bash opens. */
export const readsNetwork = (part: CommandPart): boolean =>
  part.redirects.some((redirect) => !redirect.isWrite && networkFile.test(redirect.target.text));

/** Whether what a part prints, or leaves in a file, comes from another machine. */
export const isDownload = (part: CommandPart): boolean =>
  part.levels.some(({ argv }) => downloaders.has(programName(argv[0]))) ||
  downloadingCommands.has(partDeeds(part).reading?.words ?? "") ||
  readsNetwork(part) ||
  innermost(part).some(({ text }) => networkFile.test(text));
