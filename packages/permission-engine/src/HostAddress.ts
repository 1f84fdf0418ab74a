/** What kind of place a host name or address is, as far as its text tells. */
export type HostKind = "loopback" | "link-local" | "other" | "invalid";

const metadataNames: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.tencentyun.com",
  "metadata.platformequinix.com",
]);
// Addresses outside the link-local block at which clouds serve credentials.
const metadataAddresses: ReadonlySet<number> = new Set([0x64_64_64_c8, 0xa8_3f_81_10, 0xc0_00_00_c0]);

/**
 * Classifies a host in any spelling that programs accept: decimal, octal and hexadecimal numbers, short forms, IPv4
 * inside IPv6, full-width digits, a trailing dot, percent signs.
 *
 * @example
 * ```ts
 * hostKind("0xA9FEA9FE") // => "link-local"
 * hostKind("::ffff:127.0.0.1") // => "loopback"
 * ```
 */
export const hostKind = (host: string): HostKind => {
  const name = canonicalHost(host);
  if (name === undefined) return "invalid";
  if (name === "localhost" || name.endsWith(".localhost")) return "loopback";
  if (metadataNames.has(name)) return "link-local";
  if (name.includes(":")) {
    const groups = parseAddress6(name);
    return groups === undefined ? "invalid" : kindOfAddress6(groups);
  }
  const embedded = wildcard.exec(name)?.[1]?.replaceAll("-", ".") ?? hexadecimal.exec(name)?.[1]?.replace(/^/, "0x");
  const address = parseAddress4(embedded ?? name);
  return address === "name" ? "other" : address === "invalid" ? "invalid" : kindOfAddress4(address);
};

// Names that resolve to the address that stands in them: `169.254.169.254.nip.io`, `app-10-0-0-1.sslip.io`.
const wildcard =
  /(?:^|[.-])((?:\d{1,3}[.-]){3}\d{1,3})\.(?:[\w-]+\.)*(?:nip\.io|sslip\.io|xip\.io|traefik\.me|localtest\.me|backname\.io|ip\.addr\.tools)$/;

// … and `a9fea9fe.nip.io`.
const hexadecimal = /(?:^|[.-])([\da-f]{8})\.(?:nip\.io|sslip\.io)$/;

/** A host as it is compared: lower case, one Unicode form, no brackets, zone or trailing dot; undefined when it is none. */
export const canonicalHost = (host: string): string | undefined => {
  const decoded = host.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const name = decoded
    .normalize("NFKC")
    .replaceAll(/[\u3002\uFF0E\uFF61]/g, ".")
    .replaceAll(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, "")
    .toLowerCase()
    .replace(/^\[(.*)\]$/s, "$1")
    .replace(/%.*$/s, "")
    .replace(/\.$/, "");
  return name === "" || name.length > 253 || /[\s/\\?#@<>^|"'`{}]/.test(name) || /\p{Cc}/u.test(name)
    ? undefined
    : name;
};

const parseAddress4 = (name: string): number | "name" | "invalid" => {
  const parts = name.split(".");
  if (!/^(?:0x[0-9a-f]*|\d+)$/.test(parts.at(-1) ?? "")) return "name";
  if (parts.length > 4) return "invalid";
  const numbers = parts.map(parseNumber);
  const last = numbers.pop();
  if (last === undefined || Number.isNaN(last) || last >= 256 ** (4 - numbers.length)) return "invalid";
  let value = last;
  for (const [index, number] of numbers.entries()) {
    if (Number.isNaN(number) || number > 255) return "invalid";
    value += number * 256 ** (3 - index);
  }
  return value;
};

const parseNumber = (text: string): number => {
  if (/^0x[0-9a-f]*$/.test(text)) return text === "0x" ? 0 : Number.parseInt(text, 16);
  if (/^0[0-7]*$/.test(text)) return Number.parseInt(text, 8);
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
};

const kindOfAddress4 = (address: number): HostKind =>
  address >>> 24 === 127
    ? "loopback"
    : address >>> 16 === 0xa9_fe || metadataAddresses.has(address >>> 0)
      ? "link-local"
      : "other";

const parseAddress6 = (name: string): ReadonlyArray<number> | undefined => {
  const embedded = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(name);
  let text = name;
  if (embedded?.[1] !== undefined && embedded[2] !== undefined) {
    const address = parseAddress4(embedded[2]);
    if (typeof address !== "number") return undefined;
    text = `${embedded[1]}${(address >>> 16).toString(16)}:${(address & 0xff_ff).toString(16)}`;
  }
  const [head, tail, extra] = text.split("::");
  if (extra !== undefined) return undefined;
  const left = groupsOf(head ?? "");
  const right = tail === undefined ? [] : groupsOf(tail);
  const gap = 8 - left.length - right.length;
  if (tail === undefined ? gap !== 0 : gap < 1) return undefined;
  const groups = [...left, ...Array.from({ length: gap }, () => 0), ...right];
  return groups.every((group) => group >= 0 && group <= 0xff_ff) ? groups : undefined;
};

const groupsOf = (text: string): ReadonlyArray<number> =>
  text === ""
    ? []
    : text.split(":").map((group) => (/^[0-9a-f]{1,4}$/.test(group) ? Number.parseInt(group, 16) : Number.NaN));

const kindOfAddress6 = (groups: ReadonlyArray<number>): HostKind => {
  const [a = 0, b = 0, c = 0, , , , g = 0, h = 0] = groups;
  const zeros = (count: number): boolean => groups.slice(0, count).every((group) => group === 0);
  if (zeros(7) && h === 1) return "loopback";
  if (a >= 0xfe_80 && a <= 0xfe_bf) return "link-local";
  if ((a === 0xfd_00 && b === 0x0e_c2) || (a === 0xfd_20 && b === 0xce)) return "link-local";
  // IPv4 inside: mapped, compatible, translated (64:ff9b::/96, ::ffff:0:0:0/96), 6to4.
  const isInside =
    (zeros(5) && groups[5] === 0xff_ff) ||
    (zeros(6) && (g !== 0 || h > 1)) ||
    (zeros(4) && groups[4] === 0xff_ff && groups[5] === 0) ||
    (a === 0x64 && b === 0xff_9b);
  if (isInside) return kindOfAddress4(g * 65_536 + h);
  return a === 0x20_02 ? kindOfAddress4(b * 65_536 + c) : "other";
};
