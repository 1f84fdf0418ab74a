import type { Json } from "@kumiko/plugin-api";

const hidden = "[redacted]";

// Shapes that are secrets wherever they stand. Each is anchored by what only such a secret has.
const secretShapes: ReadonlyArray<RegExp> = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /gh[pousr]_[A-Za-z0-9]{20,}/g,
  /github_pat_[A-Za-z0-9_]{20,}/g,
  /glpat-[A-Za-z0-9_-]{16,}/g,
  /xox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /A(?:KIA|SIA)[A-Z0-9]{16}/g,
  /AIza[A-Za-z0-9_-]{30,}/g,
  /npm_[A-Za-z0-9]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{5,4096}\.[A-Za-z0-9_-]{5,8192}\.[A-Za-z0-9_-]{4,4096}/g,
];

// What follows such a word is a secret, whatever its shape. The word itself stays, so that the log says what was hidden.
const secretAfter: ReadonlyArray<RegExp> = [
  /(\b(?:authorization|proxy-authorization)["']?\s{0,8}[:=]\s{0,8}["']?(?:bearer|basic|token)?\s{0,8})[^\s"',;]+/gi,
  /(\bbearer\s{1,8})[A-Za-z0-9._~+/-]{8,}=*/gi,
  /((?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret)["']?\s{0,8}[:=]\s{0,8}["']?)[^\s"',;&]+/gi,
  /(--(?:password|token|api-key|secret)[ =]["']?)[^\s"']+/gi,
  /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,256}:)[^\s/@]+(?=@)/gi,
];

const secretName =
  /^(?:.*[_-])?(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|authorization|cookie)$/i;

/** Of a longer text only the start is looked at, and kept: a log shows far less of it. */
const maxCharacters = 100_000;

// What stands at the cut may be half a secret, which no shape would fit: the cut is at the last blank before it.
const lastBreak = (text: string): number => {
  const blank = Math.max(text.lastIndexOf(" ", maxCharacters), text.lastIndexOf("\n", maxCharacters));
  return Math.max(blank, maxCharacters - 8_192);
};

/** A text with what looks like a secret hidden. Errs on the side of hiding. */
const redactText = (text: string): string => {
  let redacted = text.length <= maxCharacters ? text : text.slice(0, lastBreak(text));
  for (const shape of secretShapes) redacted = redacted.replace(shape, hidden);
  for (const shape of secretAfter) redacted = redacted.replace(shape, `$1${hidden}`);
  return redacted;
};

/** JSON with secrets hidden: in every text, and whatever stands under a name such as `apiKey` or `password`. */
export const redact = (value: Json): Json => {
  if (typeof value === "string") return redactText(value);
  if (value === null || typeof value !== "object") return value;
  if (isArray(value)) return value.map(redact);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      secretName.test(kebab(key)) && inner !== null ? hidden : redact(inner),
    ]),
  );
};

const kebab = (key: string): string => key.replaceAll(/([a-z])([A-Z])/g, "$1-$2");
const isArray = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value);

/** JSON whose texts are at most `maxCharacters` long; what was cut says how much. */
export const truncateTexts = (value: Json, maxCharacters: number): Json => {
  if (typeof value === "string")
    return value.length <= maxCharacters
      ? value
      : `${value.slice(0, maxCharacters)}… (${value.length - maxCharacters} more characters)`;
  if (value === null || typeof value !== "object") return value;
  if (isArray(value)) return value.map((inner) => truncateTexts(inner, maxCharacters));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, truncateTexts(inner, maxCharacters)]));
};
