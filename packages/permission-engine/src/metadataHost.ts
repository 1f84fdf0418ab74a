import { type CommandPart, innermost } from "./CommandPart.ts";
import { hostKind } from "./HostAddress.ts";
import { hostOf } from "./hostOf.ts";
import type { Role } from "./knowledge/CommandEntry.ts";
import { partDeeds } from "./PartEffect.ts";
import { programName } from "./Program.ts";
import { plainWord } from "./ShellWord.ts";

// What may hold an address that is then connected to.
const suspicious: ReadonlySet<Role> = new Set([
  "unknown",
  "code",
  "runs",
  "passed",
  "script",
  "connects",
  "remote-reads",
  "remote-writes",
]);

/**
 * The link-local or metadata address that a part would talk to, wherever among its words it stands: as the address, in
 * a URL of any spelling, as a proxy, in code. Undefined: none.
 */
export const metadataHost = (part: CommandPart): string | undefined => {
  const { effects, reading } = partDeeds(part);
  const program = programName(innermost(part)[0]);
  if (metadataClients.has(program)) return program;
  const isConnecting = effects.some(({ kind }) => kind === "connect");
  const words = isConnecting
    ? [...innermost(part).slice(1), ...effects.flatMap(({ kind, word }) => (kind === "connect" ? [word] : []))]
    : (reading?.roled ?? []).flatMap(({ role, word }) => (suspicious.has(role) ? [word] : []));
  // curl reads ranges and lists in a host; which hosts they come to is not worked out here.
  if (programName(innermost(part)[0]) === "curl") {
    const spreadHost = words
      .map(({ text }) => text)
      .find(
        (text) =>
          /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@\s]*@)?(?!\[[0-9a-f:.]*\])[^/?#\s]*[[{]/i.test(text) &&
          /[[{].*[\]}]/.test(text.replace(/^[a-z]+:\/\//i, "").split("/")[0] ?? ""),
      );
    if (spreadHost !== undefined) return spreadHost;
  }
  const given = isConnecting && part.input !== undefined ? [plainWord(part.input)] : [];
  for (const { text } of [...words, ...part.code, ...given]) {
    const found = addressIn(text, isConnecting);
    if (found !== undefined) return found;
  }
  return undefined;
};

// Made to ask a metadata service.
const metadataClients: ReadonlySet<string> = new Set(["ec2-metadata", "ec2metadata", "ec2-get-credentials"]);

/** Whether a text names the usual address of such a service. */
export const namesMetadata = (text: string): boolean => /(?:^|[^\d.])169\.254\.\d|\bmetadata\.goog/i.test(text);

// Ranges and lists of one, as curl reads them.
const spread = (text: string): string =>
  text
    .replaceAll(/\[(\d{1,3})-(\d{1,3})(?::\d+)?\]/g, (_, from: string, to: string) =>
      String([169, 254].find((number) => number >= Number(from) && number <= Number(to)) ?? from),
    )
    .replaceAll(/\{([^,{}]*)\}/g, "$1");

const numeric = /(?<![\w.])(?:0x[0-9a-f]{8}|0\d{11}|\d{9,10})(?![\w.])/gi;

const addressIn = (text: string, isConnecting: boolean): string | undefined => {
  const shown = spread(text.slice(0, 4096));
  const number = shown.match(numeric)?.find((digits) => hostKind(digits) === "link-local");
  if (number !== undefined) return number;
  if (/(?:^|[^\d.])169\.254\.\d|(?<!\d)169-254-\d/.test(shown)) return /169[.-]254[.-][\d.-]*/.exec(shown)?.[0];
  const whole = isConnecting ? hostOf(shown) : undefined;
  if (whole !== undefined && hostKind(whole) === "link-local") return whole;
  // A number alone is an address only where one is expected.
  return shown
    .split(/[\s/@\\{}[\],;|"'`()<>=?#&]+/)
    .flatMap((piece) => [piece, piece.replace(/:\d+$/, "")])
    .find((piece) => /[.:a-z]/i.test(piece) && piece.length < 64 && hostKind(piece) === "link-local");
};
