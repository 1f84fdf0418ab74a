import type { Word, WordPart } from "unbash";
import { expandBraces } from "./BraceExpansion.ts";
import { mark, shapeOf } from "./internal/marks.ts";
import { isPlainText } from "./internal/isPlainText.ts";
import type { LoopShape } from "./loopShape.ts";
import { baseName } from "./PathKey.ts";

/** A run of command parts: those that the substitutions inside a word execute. `to` is exclusive. */
export interface PartRange {
  readonly from: number;
  readonly to: number;
}

/** One word as a program would receive it, as far as that is known before Bash runs. */
export interface ShellWord {
  /** As written. */
  readonly source: string;
  /** Quotes and escapes removed, `~` and `$HOME` filled in; unknown pieces as written. */
  readonly text: string;
  /** As `text`, with marks where the value is open. */
  readonly shape: string;
  /** `text` is exactly what the program receives. */
  readonly isStatic: boolean;
  /** Written with something that Bash expands, `~` excepted. */
  readonly isExpanded: boolean;
  /** Becomes any number of words, none included: an unquoted expansion, a pathname pattern, `"$@"`. */
  readonly isMany?: boolean;
  /** Holds what the command reads from its standard input. */
  readonly isInput?: boolean;
  readonly runs?: PartRange;
}

/** What words may refer to. */
export interface WordScope {
  readonly home: string;
  /** Undefined: one of several. */
  readonly cwd: string | undefined;
  /** The shell that expands the word may have another home: it runs behind `sudo`, `env -i` and the like. */
  readonly isForeign?: boolean;
  /** Variables whose value is certain. */
  readonly constants?: ReadonlyMap<string, string>;
  /** Variables of loops. */
  readonly loops?: ReadonlyMap<string, LoopShape>;
  readonly runs?: PartRange;
}

/** The same word, running those parts. */
const running = (word: ShellWord, runs: PartRange | undefined): ShellWord =>
  runs === undefined ? word : { ...word, runs };

/** A word that is exactly this text. */
export const plainWord = (text: string): ShellWord => ({
  source: text,
  text,
  shape: shapeOf(text),
  isStatic: true,
  isExpanded: false,
});

/** A word nothing is known of, shown as `source`. */
export const unknownWord = (source: string): ShellWord => ({
  source,
  text: source,
  shape: mark.unknown,
  isStatic: false,
  isExpanded: true,
  isMany: true,
});

/** A word of more pieces counts as unknown. */
const mostPieces = 1024;
/** So does one that becomes more words. */
const mostWords = 64;

/** The words that one written word becomes: several for brace expansions and unquoted `$IFS`. */
export const resolveWord = (word: Word, scope: WordScope): ReadonlyArray<ShellWord> => {
  const parts = word.parts;
  if (hidesBraces(word) || hasOpenBraces(word)) return [running(unknownWord(word.text), scope.runs)];
  if (parts === undefined && !word.text.startsWith("~") && !/[=:]~/.test(word.text))
    return [running({ ...plainWord(word.value), source: word.text }, scope.runs)];
  if (parts !== undefined && parts.length > mostPieces) return [running(unknownWord(word.text), scope.runs)];
  let drafts: ReadonlyArray<Draft> = [nothing];
  const pieces: ReadonlyArray<WordPart> = parts ?? [
    { type: "Literal", pos: word.pos, end: word.end, value: word.value, text: word.text },
  ];
  for (const [index, piece] of pieces.entries()) {
    // A tilde counts only where all up to the first slash is written without quotes and expansions.
    const next = pieces[index + 1];
    const isWhole = next === undefined || /^~.*\/|=~.*\//s.test(piece.text);
    const isHome = index === 0 && piece.type === "Literal" && /^~|[=:]~/.test(piece.text);
    drafts =
      isHome && !isWhole && next?.type === "BraceExpansion"
        ? add(drafts, many(piece.text, mark.unknown))
        : extend(drafts, piece, index === 0 && isWhole, scope, false);
  }
  return drafts.flatMap((draft) => finish(draft, word.text, scope));
};

// Braces that Bash may expand, and that the parser took for letters.
const hidesBraces = ({ parts, text }: Word): boolean => {
  if (!text.includes("{") || !text.includes("}")) return false;
  const letters = parts === undefined ? text : parts.map((part) => (part.type === "Literal" ? part.text : "")).join("");
  const plain = letters.replaceAll(/\\./gs, "");
  const from = plain.indexOf("{");
  return from >= 0 && /,|\.\./.test(plain.slice(from, plain.lastIndexOf("}") + 1));
};

// Braces are expanded first, as text: `$x{a,b}` are `$xa` and `$xb`, and `{a,}~` are `a~` and a home.
const hasOpenBraces = ({ parts }: Word): boolean =>
  parts?.some(
    (part, index) =>
      part.type === "BraceExpansion" &&
      (parts[index - 1]?.type === "SimpleExpansion" ||
        parts[index + 1]?.text.startsWith("~") === true ||
        /["'`$\\]|[<>]\(/.test(part.text)),
  ) === true;

interface Draft {
  readonly text: string;
  readonly shape: string;
  readonly isStatic: boolean;
  readonly isExpanded: boolean;
  readonly isMany: boolean;
  readonly isQuoted: boolean;
}

const nothing: Draft = { text: "", shape: "", isStatic: true, isExpanded: false, isMany: false, isQuoted: false };
const emptyQuotes: Draft = { ...nothing, isQuoted: true };

const finish = (draft: Draft, source: string, scope: WordScope): ReadonlyArray<ShellWord> => {
  const { text, isStatic, isExpanded, isMany } = draft;
  const shape = isMany ? withFewSlashes(draft.shape) : draft.shape;
  // `{a,}` makes one word: without quotes, an empty one is dropped.
  if (shape === "" && !draft.isQuoted) return [];
  const word = { source, text, shape, isStatic, isExpanded, ...(isMany ? { isMany } : {}) };
  if (!shape.includes(mark.split)) return [running(word, scope.runs)];
  const shapes = shape.split(mark.split).filter((piece) => piece !== "");
  return shapes.map((piece) =>
    running({ ...word, text: piece.replaceAll(mark.blank, " "), shape: piece, isStatic: false }, scope.runs),
  );
};

// Of several slashes behind a pattern Bash leaves one, if it finds something: `*//x` is `dir/x`.
const withFewSlashes = (shape: string): string =>
  shape.includes("//") ? shape.replace(/(?<=[\uE000\uE001].*)\/{2,}/gs, `/${mark.any}`) : shape;

const extend = (
  drafts: ReadonlyArray<Draft>,
  piece: WordPart,
  isFirst: boolean,
  scope: WordScope,
  isQuoted: boolean,
): ReadonlyArray<Draft> => {
  switch (piece.type) {
    case "Literal":
      return add(drafts, isFirst && !isQuoted ? tilde(piece.value, piece.text, scope) : known(piece.value));
    case "SingleQuoted":
      return add(drafts, { ...known(piece.value), isQuoted: true });
    case "AnsiCQuoted":
      return add(drafts, { ...ansiC(piece.value, piece.text), isQuoted: true });
    case "DoubleQuoted":
    case "LocaleString":
      return piece.parts.reduce<ReadonlyArray<Draft>>(
        (made, child) => extend(made, child, false, scope, true),
        add(drafts, emptyQuotes),
      );
    case "Glob":
      return add(drafts, many(piece.text, piece.kind === "star" ? mark.any : mark.one));
    case "ExtendedGlob":
      return add(drafts, many(piece.text, mark.any));
    case "BraceExpansion":
      return braces(drafts, piece.text, isFirst, scope);
    case "SimpleExpansion":
      return add(drafts, variable(piece.text.slice(1), piece.text, scope, isQuoted));
    case "ParameterExpansion": {
      const isPlain =
        piece.prefix === undefined &&
        piece.index === undefined &&
        (piece.operation === undefined ||
          (piece.operation.type === "Default" && !piece.operation.operator.endsWith("+")));
      return add(
        drafts,
        isPlain ? variable(piece.parameter, piece.text, scope, isQuoted) : unknown(piece.text, isQuoted),
      );
    }
    case "CommandExpansion":
      return add(drafts, unknown(piece.text, isQuoted));
    default:
      return add(drafts, open(piece.text, mark.unknown));
  }
};

const known = (text: string): Draft => ({ ...nothing, text, shape: shapeOf(text) });

const open = (text: string, shape: string): Draft => ({ ...nothing, text, shape, isStatic: false, isExpanded: true });

const many = (text: string, shape: string): Draft => ({ ...open(text, shape), isMany: true });

// `"$@"` and `"${a[@]}"` become several words in spite of their quotes.
const unknown = (text: string, isQuoted: boolean): Draft =>
  isQuoted && !text.includes("@") ? open(text, mark.unknown) : many(text, mark.unknown);

// Bytes that are no character, and how characters are written, depend on the locale.
const ansiC = (value: string, source: string): Draft => {
  const isKnown = !/\\[xuU]\{/.test(source) && /^(?:[^\\]|\\[abeEfnrtv\\'"0-7xuU])*$/s.test(source);
  return isKnown && (isPlainText(value) || !/\\[uUx0-7]/.test(source)) ? known(value) : open(source, mark.unknown);
};

const add = (drafts: ReadonlyArray<Draft>, piece: Draft): ReadonlyArray<Draft> =>
  drafts.map((draft) => ({
    text: draft.text + piece.text,
    shape: draft.shape + piece.shape,
    isStatic: draft.isStatic && piece.isStatic,
    isExpanded: draft.isExpanded || piece.isExpanded,
    isMany: draft.isMany || piece.isMany,
    isQuoted: draft.isQuoted || piece.isQuoted,
  }));

const variable = (name: string, source: string, scope: WordScope, isQuoted: boolean): Draft => {
  if (name === "HOME") {
    const home = { ...known(scope.home), isExpanded: true, isStatic: scope.isForeign !== true };
    return isQuoted || !isSplit(scope.home) ? home : { ...home, isStatic: false, isMany: true };
  }
  // A later `cd` would change it: known well enough to recognise a disaster, not to allow.
  if (name === "PWD") {
    const folder = scope.cwd === undefined ? many(source, mark.here) : many(scope.cwd, shapeOf(scope.cwd));
    return { ...folder, isMany: !isQuoted };
  }
  if (name === "XDG_CONFIG_HOME") return { ...many(source, shapeOf(`${scope.home}/.config`)), isMany: !isQuoted };
  if (name === "IFS" && !isQuoted) return open(" ", mark.split);
  const looped = scope.loops?.get(name);
  // Without quotes, what a pattern found may be split at its blanks.
  if (looped !== undefined)
    return isQuoted || !looped.mayHoldBlanks
      ? open(source, looped.shape)
      : many(source, looped.shape + mark.split + mark.unknown);
  const constant = scope.constants?.get(name);
  if (constant === undefined) return unknown(source, isQuoted || /^[#?$]$/.test(name));
  if (isQuoted || !isSplit(constant)) return { ...known(constant), isExpanded: true, isQuoted };
  // Blanks split it; more than that (patterns, say) is not followed.
  return /^[\w ./:@%+,=-]+$/.test(constant)
    ? open(constant, constant.replaceAll(" ", mark.split))
    : unknown(source, isQuoted);
};

const isSplit = (text: string): boolean => !/^[\w./:@%+,=-]+$/.test(text);

const tilde = (value: string, written: string, scope: WordScope): Draft => {
  // A line may be continued behind it.
  const source = written.replaceAll("\\\n", "");
  const [, name, assigned] = /^([A-Za-z_]\w*\+?=)(.*)$/s.exec(source) ?? [];
  if (name !== undefined && assigned !== undefined && /^~|:~/.test(assigned)) {
    if (assigned.includes(":")) return open(value, shapeOf(name) + mark.unknown);
    const [draft] = add([known(name)], tilde(value.slice(name.length), assigned, scope));
    return draft ?? known(value);
  }
  if (!/^~[^\\/]*(?:\/|$)/.test(source)) return known(value);
  const slash = value.indexOf("/");
  const user = value.slice(1, slash < 0 ? undefined : slash);
  const rest = slash < 0 ? "" : value.slice(slash);
  if (user === "") return { ...known(scope.home + rest), isStatic: scope.isForeign !== true };
  if (user === baseName(scope.home)) return { ...known(scope.home + rest), isStatic: false };
  // Where there is no such user, the word stays as it is.
  if (!/^\+$|^[a-z_][\w.-]*$/.test(user)) return open(value, mark.unknown + shapeOf(rest));
  if (user === "+" && scope.cwd === undefined) return open(value, mark.here + shapeOf(rest));
  const home = user === "+" ? (scope.cwd ?? "") : user === "root" ? "/root" : `/home/${user}`;
  return open(value, shapeOf(home + rest));
};

const braces = (
  drafts: ReadonlyArray<Draft>,
  source: string,
  isFirst: boolean,
  scope: WordScope,
): ReadonlyArray<Draft> => {
  const words = expandBraces(source);
  if (words === undefined || words.length * drafts.length > mostWords)
    return [many((drafts[0]?.text ?? "") + source, mark.unknown)];
  return drafts.flatMap((draft) =>
    words.flatMap((word) => {
      const piece = isFirst ? tilde(word, word, scope) : known(word);
      const shape = piece.shape.replaceAll("*", mark.any).replaceAll(/\?|\[[^\]]+\]/g, mark.one);
      const isPattern = shape !== piece.shape;
      return add([draft], { ...piece, shape, isStatic: !isPattern, isMany: isPattern, isExpanded: true });
    }),
  );
};
