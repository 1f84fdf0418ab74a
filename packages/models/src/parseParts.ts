import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { promptPatternProblem } from "./internal/promptPattern.ts";
import { decodeYaml, type Path, readYaml, type YamlProblem as Problem } from "@kumiko/settings";
import { callsOf, RehearsalCall, RehearsalPart, RehearsalPartsInvalid, RehearsalStep } from "./RehearsalPart.ts";
import { loadRehearsalTemplates, type RehearsalTemplates } from "./RehearsalTemplates.ts";

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
  const templates = yield* Effect.promise(loadRehearsalTemplates);
  const yaml = yield* readYaml(yamlText);
  const decoded = Result.flatMap(yaml.value, decode);
  const parts = Result.isSuccess(decoded) ? decoded.success : [];
  const problem = Result.isFailure(decoded) ? decoded.failure : problemIn(parts, templates);
  if (problem !== undefined)
    return yield* new RehearsalPartsInvalid({ file: fileName, ...yaml.placeOf(problem), problem: problem.problem });
  return parts;
});

const PartsFile = Schema.Array(RehearsalPart);

const decode = (raw: unknown): Result.Result<ReadonlyArray<RehearsalPart>, Problem> =>
  Result.mapError(decodeYaml(PartsFile, raw, knownKeys), (problem) =>
    problem.path.length === 0
      ? { ...problem, problem: "expected a list of parts, each beginning with `- name:`" }
      : { ...problem, problem: problem.problem.replace(/^\[\d+\]\.?/, "") },
  );

const knownKeys = (path: Path): ReadonlyArray<string> => {
  if (path.includes("call") || path.includes("calls")) return Object.keys(RehearsalCall.fields);
  return Object.keys(path.includes("steps") ? RehearsalStep.fields : RehearsalPart.fields);
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
