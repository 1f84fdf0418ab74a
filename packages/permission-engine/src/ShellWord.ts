import type { Word, WordPart } from "unbash";
import { expandBraces } from "./BraceExpansion.ts";
import { mark, shapeOf } from "./internal/marks.ts";
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
  readonly runs?: PartRange;
}

/** What words may refer to. */
export interface WordScope {
  readonly home: string;
  readonly cwd: string;
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
});

/** A word of more pieces counts as unknown. */
const mostPieces = 1024;
/** So does one that becomes more words. */
const mostWords = 64;

/** The words that one written word becomes: several for brace expansions and unquoted `$IFS`. */
export const resolveWord = (word: Word, scope: WordScope): ReadonlyArray<ShellWord> => {
  const parts = word.parts;
  if (parts === undefined && !word.text.startsWith("~") && !word.text.includes("=~"))
    return [running({ ...plainWord(word.value), source: word.text }, scope.runs)];
  if (parts !== undefined && parts.length > mostPieces) return [running(unknownWord(word.text), scope.runs)];
  let drafts: ReadonlyArray<Draft> = [{ text: "", shape: "", isStatic: true, isExpanded: false }];
  const pieces: ReadonlyArray<WordPart> = parts ?? [
    { type: "Literal", pos: word.pos, end: word.end, value: word.value, text: word.text },
  ];
  for (const [index, piece] of pieces.entries()) drafts = extend(drafts, piece, index === 0, scope, false);
  return drafts.flatMap((draft) => finish(draft, word.text, scope));
};

interface Draft {
  readonly text: string;
  readonly shape: string;
  readonly isStatic: boolean;
  readonly isExpanded: boolean;
}

const finish = ({ text, shape, isStatic, isExpanded }: Draft, source: string, scope: WordScope): Array<ShellWord> => {
  if (!shape.includes(mark.split)) return [running({ source, text, shape, isStatic, isExpanded }, scope.runs)];
  const shapes = shape.split(mark.split).filter((piece) => piece !== "");
  return shapes.map((piece) =>
    running(
      { source, text: piece.replaceAll(mark.blank, " "), shape: piece, isStatic: false, isExpanded: true },
      scope.runs,
    ),
  );
};

const extend = (
  drafts: ReadonlyArray<Draft>,
  piece: WordPart,
  isFirst: boolean,
  scope: WordScope,
  isQuoted: boolean,
): ReadonlyArray<Draft> => {
  switch (piece.type) {
    case "Literal":
      return isQuoted
        ? add(drafts, known(piece.value))
        : add(drafts, isFirst ? tilde(piece.value, piece.text, scope) : known(piece.value));
    case "SingleQuoted":
      return add(drafts, known(piece.value));
    case "AnsiCQuoted":
      return add(drafts, piece.value.includes("\0") ? open(piece.text, mark.unknown) : known(piece.value));
    case "DoubleQuoted":
    case "LocaleString":
      return piece.parts.reduce<ReadonlyArray<Draft>>((made, child) => extend(made, child, false, scope, true), drafts);
    case "Glob":
      return add(drafts, open(piece.text, piece.kind === "star" ? mark.any : mark.one));
    case "ExtendedGlob":
      return add(drafts, open(piece.text, mark.any));
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
        isPlain ? variable(piece.parameter, piece.text, scope, isQuoted) : open(piece.text, mark.unknown),
      );
    }
    default:
      return add(drafts, open(piece.text, mark.unknown));
  }
};

const known = (text: string): Draft => ({ text, shape: shapeOf(text), isStatic: true, isExpanded: false });

const open = (text: string, shape: string): Draft => ({ text, shape, isStatic: false, isExpanded: true });

const add = (drafts: ReadonlyArray<Draft>, piece: Draft): ReadonlyArray<Draft> =>
  drafts.map((draft) => ({
    text: draft.text + piece.text,
    shape: draft.shape + piece.shape,
    isStatic: draft.isStatic && piece.isStatic,
    isExpanded: draft.isExpanded || piece.isExpanded,
  }));

const variable = (name: string, source: string, scope: WordScope, isQuoted: boolean): Draft => {
  if (name === "HOME") return { ...known(scope.home), isExpanded: true };
  // A later `cd` would change it: known well enough to recognise a disaster, not to allow.
  if (name === "PWD") return { text: scope.cwd, shape: shapeOf(scope.cwd), isStatic: false, isExpanded: true };
  if (name === "XDG_CONFIG_HOME")
    return { text: source, shape: shapeOf(`${scope.home}/.config`), isStatic: false, isExpanded: true };
  if (name === "IFS" && !isQuoted) return open(" ", mark.split);
  return open(source, mark.unknown);
};

const tilde = (value: string, source: string, scope: WordScope): Draft => {
  const assigned = /^([A-Za-z_]\w*=)(~.*)$/s.exec(source);
  if (assigned?.[1] !== undefined && assigned[2] !== undefined) {
    const [draft] = add([known(assigned[1])], tilde(value.slice(assigned[1].length), assigned[2], scope));
    return draft ?? known(value);
  }
  if (!source.startsWith("~")) return known(value);
  const slash = value.indexOf("/");
  const user = value.slice(1, slash < 0 ? undefined : slash);
  const rest = slash < 0 ? "" : value.slice(slash);
  if (user === "" || user === baseName(scope.home)) return known(scope.home + rest);
  if (user === "-") return open(value, mark.unknown + shapeOf(rest));
  const home = user === "+" ? scope.cwd : user === "root" ? "/root" : `/home/${user}`;
  return { text: value, shape: shapeOf(home + rest), isStatic: false, isExpanded: true };
};

const braces = (
  drafts: ReadonlyArray<Draft>,
  source: string,
  isFirst: boolean,
  scope: WordScope,
): ReadonlyArray<Draft> => {
  const words = expandBraces(source);
  if (words === undefined || words.length * drafts.length > mostWords)
    return [open((drafts[0]?.text ?? "") + source, mark.unknown)];
  return drafts.flatMap((draft) =>
    words.flatMap((word) => {
      const piece = isFirst ? tilde(word, word, scope) : known(word);
      const shape = piece.shape.replaceAll("*", mark.any).replaceAll(/\?|\[[^\]]+\]/g, mark.one);
      return add([draft], { text: piece.text, shape, isStatic: shape === piece.shape, isExpanded: true });
    }),
  );
};
