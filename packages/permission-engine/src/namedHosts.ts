import { type CommandPart, innermost } from "./CommandPart.ts";
import { canonicalHost } from "./HostAddress.ts";
import { mark } from "./internal/marks.ts";
import type { Role } from "./knowledge/CommandEntry.ts";
import { partDeeds } from "./PartEffect.ts";

/** A host among the words of a part, as rules compare it. */
export interface NamedHost {
  /** With marks where a pattern of the program leaves it open: `evil.{com,org}`. */
  readonly shape: string;
  /** It is certainly talked to. */
  readonly isCertain: boolean;
}

/** More are not looked at. */
const mostHosts = 256;

const suspicious: ReadonlySet<Role> = new Set([
  "unknown",
  "code",
  "runs",
  "passed",
  "script",
  "remote-reads",
  "remote-writes",
]);

/** The hosts that a part names in other words than those it is known to talk to: as a proxy, a remote, in code. */
export const namedHosts = (part: CommandPart): ReadonlyArray<NamedHost> => {
  const { effects, reading } = partDeeds(part);
  const isConnecting = effects.some(({ kind }) => kind === "connect");
  const isOpaque =
    reading !== undefined &&
    (reading.entry === undefined ||
      reading.entry.isRunner === true ||
      reading.roled.some(({ role }) => suspicious.has(role)));
  if (!isConnecting && !isOpaque) return [];
  const found: Array<NamedHost> = [];
  for (const { text } of [...innermost(part).slice(1), ...part.code])
    for (const piece of text.slice(0, 4096).split(/[\s/@\\;|"'`()<>=?#&:]+/)) {
      if (!/[.\d]/.test(piece) || piece.length > 253) continue;
      const shape = piece.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, mark.any);
      const host = shape === piece ? canonicalHost(piece) : shape.toLowerCase();
      if (host !== undefined && found.length < mostHosts)
        found.push({ shape: host, isCertain: isConnecting && shape === piece });
    }
  return found;
};

/** Whether a part talks to a host that no word of it names: `git push`. */
export const talksUnnamed = (part: CommandPart): boolean => {
  const { effects } = partDeeds(part);
  return effects.some(({ kind, word }) => kind === "connect" && /\s/.test(word.text));
};
