import { type CommandPart, innermost } from "./CommandPart.ts";
import { canonicalHost } from "./HostAddress.ts";
import { mark } from "./internal/marks.ts";
import type { Role } from "./knowledge/CommandEntry.ts";
import { partDeeds } from "./PartEffect.ts";
import { programName } from "./Program.ts";

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
  const { effects, reading } = partDeeds(part);
  return (
    effects.some(({ kind, word }) => kind === "connect" && /\s/.test(word.text)) ||
    part.levels.some(({ argv }) => talkers.has(programName(argv[0]))) ||
    talkingCommands.test(reading?.words ?? "") ||
    talkingCommands.test(
      innermost(part)
        .slice(0, 3)
        .map(({ text }) => text)
        .join(" "),
    )
  );
};

// Clients of one service or another, whatever they are told.
const talkers: ReadonlySet<string> = new Set(
  (
    "sftp sshfs smbclient websocat grpcurl mosquitto_pub mosquitto_sub uvx pipx xdg-open rustup kcat amqp-publish " +
    "ldapsearch snmpget rclone gsutil az gcloud heroku flyctl vercel netlify wrangler ansible-pull apt apt-get dnf yum zypper apk pacman"
  ).split(" "),
);
const talkingCommands =
  /^(?:git (?:submodule (?:update|add)|archive|lfs|fetch|pull|clone|ls-remote|remote (?:update|show|prune))|go (?:get|install|mod download)|cargo (?:install|fetch|update|add|search)|gem (?:install|update|push)|bundle (?:install|update)|composer (?:install|require|update)|brew (?:install|update|upgrade|fetch)|gpg2? .*--(?:recv|send|refresh|search)-keys|nix (?:run|shell|build|develop))(?:\s|$)/;

/** Whether words or code of a part hold an address that a program may open. */
export const holdsAddress = (part: CommandPart): boolean => {
  const { reading } = partDeeds(part);
  const isOpaque = reading !== undefined && (reading.entry === undefined || reading.entry.isRunner === true);
  return (
    (isOpaque || part.code.length > 0) &&
    [...innermost(part).slice(1), ...part.code].some(({ text }) => /\b(?!file)[a-z][\w+.-]*:\/\/\w/i.test(text))
  );
};
