import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import * as SchemaIssue from "effect/SchemaIssue";
import type { Document, YAMLMap } from "yaml";
import { promptPatternProblem } from "./internal/promptPattern.ts";
import { nearest } from "./internal/nearest.ts";
import { callsOf, RehearsalCall, RehearsalPart, RehearsalPartsInvalid, RehearsalStep } from "./RehearsalPart.ts";
import { loadRehearsalTemplates, type RehearsalTemplates } from "./RehearsalTemplates.ts";

type Path = ReadonlyArray<PropertyKey>;
interface Problem {
  readonly path: Path;
  readonly problem: string;
}

/**
 * Reads a file of parts: a YAML list. Every mistake is reported with its line: syntax, unknown keys, wrong types,
 * templates that do not parse, two parts of one name, a part that does not end by saying something.
 *
 * @example
 * ```ts
 * const parts = await Effect.runPromise(parseParts("- name: hi\n  when: [hello]\n  steps: [{ say: Hello! }]\n", "parts.yaml"))
 * ```
 */
export const parseParts = Effect.fnUntraced(function* (
  yamlText: string,
  fileName: string,
): Effect.fn.Return<ReadonlyArray<RehearsalPart>, RehearsalPartsInvalid> {
  const yaml = yield* Effect.promise(() => import("yaml"));
  const templates = yield* Effect.promise(loadRehearsalTemplates);
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(yamlText, { lineCounter: lines, prettyErrors: false });
  const invalid = (offset: number, problem: string): RehearsalPartsInvalid => {
    const { line, col } = lines.linePos(offset);
    return new RehearsalPartsInvalid({ file: fileName, line, column: col, problem });
  };

  const [syntax] = document.errors;
  if (syntax !== undefined) return yield* invalid(syntax.pos[0], `this is no valid YAML: ${syntax.message}`);
  const raw = yield* Effect.try({
    try: (): unknown => document.toJS({ maxAliasCount: 100 }),
    catch: (error) => invalid(0, `this YAML cannot be read: ${error instanceof Error ? error.message : String(error)}`),
  });
  const decoded = decode(raw);
  const parts = Result.isSuccess(decoded) ? decoded.success : [];
  const problem = Result.isFailure(decoded) ? decoded.failure : problemIn(parts, templates);
  if (problem !== undefined) return yield* invalid(offsetOf(document, problem.path, yaml.isMap), problem.problem);
  return parts;
});

const PartsFile = Schema.Array(RehearsalPart);
const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1();
const excess = "Expected no excess property";

const decode = (raw: unknown): Result.Result<ReadonlyArray<RehearsalPart>, Problem> =>
  Result.mapError(
    Schema.decodeUnknownResult(PartsFile, { onExcessProperty: "error", errors: "all" })(raw),
    ({ issue }): Problem => {
      const { issues } = formatIssue(issue);
      // A misspelt key is also a missing one; the misspelling is what helps.
      const first = issues.find(({ message }) => message === excess) ?? issues[0];
      const path = (first?.path ?? []).map((key) => (typeof key === "object" ? key.key : key));
      if (path.length === 0) return { path, problem: "expected a list of parts, each beginning with `- name:`" };
      return { path, problem: first?.message === excess ? unknownKey(path) : wrongValue(path, first?.message ?? "") };
    },
  );

const unknownKey = (path: Path): string => {
  const key = String(path.at(-1));
  const known = knownKeys(path);
  const meant = nearest(key, known);
  return `unknown key "${key}": expected ${known.join(", ")}${meant === undefined ? "" : `. Did you mean "${meant}"?`}`;
};

const knownKeys = (path: Path): ReadonlyArray<string> => {
  if (path.includes("call") || path.includes("calls")) return Object.keys(RehearsalCall.fields);
  return Object.keys(path.includes("steps") ? RehearsalStep.fields : RehearsalPart.fields);
};

const wrongValue = (path: Path, message: string): string => {
  const expected = message.charAt(0).toLowerCase() + message.slice(1);
  return `${path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\[\d+\]\.?/, "")}: ${expected}`;
};

// What the shape alone does not say: names, the end of a part, templates.
const problemIn = (parts: ReadonlyArray<RehearsalPart>, templates: RehearsalTemplates): Problem | undefined => {
  const names = new Set<string>();
  for (const [index, part] of parts.entries()) {
    if (names.has(part.name)) return { path: [index, "name"], problem: `there is already a part named "${part.name}"` };
    names.add(part.name);
    for (const [number, entry] of part.when.entries()) {
      const problem = promptPatternProblem(entry);
      if (problem !== undefined)
        return { path: [index, "when", number], problem: `${problem}: expected words such as todo*|fixme` };
    }
    for (const { path, text } of textsOf(part)) {
      const problem = templates.problemOf(text);
      if (problem !== undefined) return { path: [index, ...path], problem: `this template cannot be read: ${problem}` };
    }
    for (const [number, step] of part.steps.entries()) {
      const problem = stepProblem(step, number === part.steps.length - 1);
      if (problem !== undefined) return { path: [index, "steps", number], problem };
    }
  }
  return undefined;
};

const stepProblem = (step: RehearsalStep, isLast: boolean): string | undefined => {
  const hasCalls = callsOf(step).length > 0;
  if (isLast && (hasCalls || step.say === undefined))
    return "the last step must only say something: expected `say` and neither `call` nor `calls`";
  return isLast || hasCalls ? undefined : "only the last step may do without a call: expected `call` or `calls`";
};

interface Text {
  readonly path: Path;
  readonly text: string;
}

const textsOf = (part: RehearsalPart): ReadonlyArray<Text> => [
  ...(part.otherwise === undefined ? [] : [{ path: ["otherwise"], text: part.otherwise }]),
  ...part.steps.flatMap((step, index) => [
    ...(step.say === undefined ? [] : [{ path: ["steps", index, "say"], text: step.say }]),
    ...textsIn(step.call?.input, ["steps", index, "call", "input"]),
    ...(step.calls ?? []).flatMap((call, number) => textsIn(call.input, ["steps", index, "calls", number, "input"])),
  ]),
];

const textsIn = (value: unknown, path: Path): ReadonlyArray<Text> => {
  if (typeof value === "string") return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) =>
    textsIn(field, [...path, Array.isArray(value) ? Number(key) : key]),
  );
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
