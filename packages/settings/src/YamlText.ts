import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import * as SchemaIssue from "effect/SchemaIssue";
import type { Document, YAMLMap } from "yaml";
import { nearest } from "./nearest.ts";

export type Path = ReadonlyArray<PropertyKey>;

/** A mistake in a YAML text: where and what. `offset` is known of what is no YAML, the path of everything else. */
export interface YamlProblem {
  readonly path: Path;
  readonly problem: string;
  readonly offset?: number;
}

/** A YAML text as a value, and the way from a mistake in it to its place in the text. */
export interface YamlText {
  readonly value: Result.Result<unknown, YamlProblem>;
  readonly placeOf: (problem: YamlProblem) => { readonly line: number; readonly column: number };
}

/** Reads a YAML text. The parser is loaded when it is needed: most runs read none. */
export const readYaml = (text: string): Effect.Effect<YamlText> =>
  Effect.map(
    Effect.promise(() => import("yaml")),
    (yaml) => {
      const lines = new yaml.LineCounter();
      const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
      return {
        value: valueOf(document),
        placeOf: ({ path, offset }) => {
          const { line, col } = lines.linePos(offset ?? offsetOf(document, path, yaml.isMap));
          return { line, column: col };
        },
      };
    },
  );

const valueOf = (document: Document): Result.Result<unknown, YamlProblem> => {
  const [syntax] = document.errors;
  if (syntax !== undefined)
    return Result.fail({
      path: [],
      offset: syntax.pos[0],
      problem: `this is no valid YAML: ${withoutValue(syntax.message)}`,
    });
  try {
    return Result.succeed(document.toJS({ maxAliasCount: 100 }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return Result.fail({ path: [], offset: 0, problem: `this YAML cannot be read: ${withoutValue(reason)}` });
  }
};

// A file may hold by mistake what must not be repeated.
const withoutValue = (message: string): string =>
  /call stack/i.test(message) ? "it is nested too deeply" : message.replace(/^(unresolved alias[^:]*):.*$/is, "$1");

/** Whether a text is more likely a key than a name: long, of letters and digits without a word in it. */
export const looksSecret = (text: string): boolean =>
  /^(?:sk|pk|gsk|xai|AKIA|AIza|ghp|hf)[-_A-Za-z0-9]{12,}$/.test(text) ||
  (/^[A-Za-z0-9_+/=-]{20,}$/.test(text) && /\d.*\d/.test(text) && !/[_-][A-Za-z]{2,}[_-]/.test(text));

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1();
const excess = "Expected no excess property";

/** Checks a value against a schema; the first mistake is told, a misspelt key before what is then missing. */
export const decodeYaml = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  raw: unknown,
  knownKeys: (path: Path) => ReadonlyArray<string>,
): Result.Result<S["Type"], YamlProblem> =>
  Result.mapError(
    Schema.decodeUnknownResult(schema)(raw, { onExcessProperty: "error", errors: "all" }),
    ({ issue }): YamlProblem => {
      const { issues } = formatIssue(issue);
      const first = issues.find(({ message }) => message === excess) ?? issues[0];
      const path = (first?.path ?? []).map((key) => (typeof key === "object" ? key.key : key));
      return {
        path,
        problem: first?.message === excess ? unknownKey(path, knownKeys(path)) : wrongValue(path, first?.message ?? ""),
      };
    },
  );

const unknownKey = (path: Path, known: ReadonlyArray<string>): string => {
  const key = String(path.at(-1));
  if (looksSecret(key)) return `an unknown key, which looks like a secret: expected ${known.join(", ")}`;
  const meant = nearest(key, known);
  return `unknown key "${key}": expected ${known.join(", ")}${meant === undefined ? "" : `. Did you mean "${meant}"?`}`;
};

const wrongValue = (path: Path, message: string): string => {
  const expected = message.charAt(0).toLowerCase() + message.slice(1);
  const where = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return where === "" ? expected : `${where.replace(/^\./, "")}: ${expected}`;
};

// The key where there is one, else the nearest node above that the file holds.
const offsetOf = (document: Document, path: Path, isMap: (node: unknown) => node is YAMLMap): number => {
  for (let length = path.length; length > 0; length--) {
    const parent: unknown = document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    if (isMap(parent)) {
      const pair = parent.items.find((item) => keyOf(item.key) === key);
      if (pair !== undefined) return startOf(pair.key);
    }
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (node !== undefined) return startOf(node);
  }
  return 0;
};

const keyOf = (key: unknown): unknown => (typeof key === "object" && key !== null && "value" in key ? key.value : key);

const startOf = (node: unknown): number =>
  typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range) ? Number(node.range[0]) : 0;
