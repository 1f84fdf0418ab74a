import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";

/** A promise of a contract that was not kept. */
export class ConformanceFailed extends Schema.TaggedError<ConformanceFailed>()("ConformanceFailed", {
  check: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return `${this.check}: ${this.detail}`;
  }
}

/** One promise of a contract, ready to be checked by any test runner. */
export interface ConformanceCheck {
  readonly name: string;
  readonly run: Effect.Effect<void, ConformanceFailed>;
}

/**
 * Registers checks as tests of any runner that has an `it` of a name and a function that may return a promise.
 *
 * @example
 * ```ts
 * describe("myModel", () => registerConformance(it, languageModelConformance({ model, text, calls })))
 * ```
 */
export const registerConformance = (
  it: (name: string, run: () => Promise<void>) => unknown,
  checks: ReadonlyArray<ConformanceCheck>,
): void => {
  for (const { name, run } of checks) it(name, () => Effect.runPromise(run));
};

/** What a check is written with: `expect` ends it with a failure unless the condition holds. */
export type Expect = (holds: boolean, detail: string) => Effect.Effect<void, ConformanceFailed>;

/** Makes a check; what it dies of fails it as well. */
export const conformanceCheck = (
  name: string,
  run: (expect: Expect) => Effect.Effect<void, ConformanceFailed>,
): ConformanceCheck => {
  const failed = (detail: string): ConformanceFailed => new ConformanceFailed({ check: name, detail });
  const expect: Expect = (holds, detail) => (holds ? Effect.void : Effect.fail(failed(detail)));
  return {
    name,
    run: Effect.suspend(() => run(expect)).pipe(
      Effect.catchDefect((defect) =>
        Effect.fail(failed(`died of ${defect instanceof Error ? defect.message : String(defect)}`)),
      ),
    ),
  };
};
