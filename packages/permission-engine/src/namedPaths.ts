import { type CommandPart, innermost } from "./CommandPart.ts";
import { isFileRole } from "./effectsOf.ts";
import type { Role } from "./knowledge/CommandEntry.ts";
import { partDeeds } from "./PartEffect.ts";
import { programName } from "./Program.ts";

/** More are not looked at. */
const mostPaths = 64;

const opaque: ReadonlySet<Role> = new Set(["unknown", "passed", "runs"]);

/**
 * What may name a file in the words of a part besides the files it is known to open: `@file` and `name=@file` of what
 * is sent away, values of options that nobody knows, names in code.
 */
export const namedPaths = (part: CommandPart, use: "read" | "write" = "read"): ReadonlyArray<string> => {
  const { effects, reading } = partDeeds(part);
  if (reading === undefined) return [];
  const found: Array<string> = [];
  const isConnecting = effects.some(({ kind }) => kind === "connect");
  for (const { role, word } of reading.roled) {
    if (use === "write" && role !== "unknown") continue;
    if (opaque.has(role)) found.push(word.text, ...behindSigns(word.text));
    else if (role === "code") found.push(...namesInCode(word.text));
    else if (role === "text" && reading.entry?.isSafe === true) found.push(...behindSigns(word.text, /[@<]|file:\/\//));
    // What nobody has looked at option by option may open what it is told.
    else if (role === "text" && !/\s/.test(word.text)) found.push(word.text, ...behindSigns(word.text));
    // `HEAD:file`
    else if (isFileRole(role) && word.text.includes(":")) found.push(word.text.slice(word.text.lastIndexOf(":") + 1));
  }
  if (use === "write") for (const { isStatic, text } of part.code) if (isStatic) found.push(...namesInCode(text));
  if (use === "write") return found.slice(0, mostPaths);
  if (isConnecting) for (const { text } of innermost(part).slice(1)) found.push(text, ...behindSigns(text));
  // What is found by its name is handed on.
  if (reading.roled.some(({ role }) => role === "starts"))
    for (const [index, { text }] of innermost(part).entries())
      if (/^-(?:i?name|i?path|i?wholename)$/.test(innermost(part)[index - 1]?.text ?? "")) found.push(text);
  for (const { argv } of part.levels.slice(0, -1))
    if (/^g?xargs$/.test(programName(argv[0])))
      for (const [index, { text }] of argv.entries())
        if (/^(?:-a|--arg-file)$/.test(argv[index - 1]?.text ?? "")) found.push(text);
  for (const { isStatic, text } of part.code) if (isStatic) found.push(...namesInCode(text));
  return found.slice(0, mostPaths);
};

// `@file`, `name=@file`, `name=file`, `file://file`
const behindSigns = (text: string, signs = /[@<=:]|file:\/\//): ReadonlyArray<string> => {
  const shown = text.slice(0, 2048);
  const at = shown.search(signs);
  return at < 0
    ? []
    : shown
        .slice(at)
        .split(/[@<=;,]|\w*:(?:\/\/)?/)
        .flatMap((piece) => (piece.includes("%") ? [piece, decoded(piece)] : [piece]))
        .filter((piece) => piece !== "");
};

const decoded = (text: string): string =>
  text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));

const namesInCode = (text: string): ReadonlyArray<string> =>
  text
    .slice(0, 4096)
    .split(/[\s"'`()<>|;,=[\]{}]+/)
    // `s/.env/x/` names no file.
    .filter((name) => /[.\w]/.test(name) && !/^(?:[\d,]*)?[sy]?[/|#].*[/|#]/.test(name));
