import { changesWhatRuns } from "./knowledge/environment.ts";

/** What is known of the variables of a command, wherever in it they are set: order is not looked at. */
export interface Variables {
  /** For each name, the texts it is given; `undefined`: also one that is only known when the command runs. */
  readonly values: Map<string, Set<string> | undefined>;
  /** Names, and texts, that are evaluated as arithmetic or as a reference. */
  readonly evaluated: Set<string>;
}

/** Longer expressions are not followed. */
const mostOfExpression = 1024;
/** More values of one variable are not kept apart. */
const mostValues = 32;

export const noVariables = (): Variables => ({ values: new Map(), evaluated: new Set() });

/** Notes that a variable may get a value; `undefined` is one that is not known. */
export const noteValue = ({ values }: Variables, name: string, value: string | undefined): void => {
  const known = values.has(name) ? values.get(name) : new Set<string>();
  if (value === undefined || known === undefined || known.size >= mostValues) values.set(name, undefined);
  else values.set(name, known.add(value));
};

/** Notes that a text is evaluated as arithmetic, where a variable's value counts as an expression again. */
export const noteEvaluated = ({ evaluated }: Variables, text: string): void => {
  if (/[A-Za-z_$]/.test(text)) evaluated.add(text);
};

// `PATH=1` in an expression, `PATH++`.
const changedName = (expression: string): string | undefined =>
  [
    ...expression.matchAll(
      /([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g,
    ),
  ]
    .map(([, before, after]) => before ?? after ?? "")
    .find(changesWhatRuns);

// Set by Bash itself, to texts that somebody else may have chosen.
const openNames = /^(?:BASH_\w+|_|PWD|OLDPWD|DIRSTACK|REPLY|MAPFILE|OPTARG|FUNCNAME|HOME|HOSTNAME)$/;

/**
 * Why evaluating a variable may run code, or undefined: arithmetic evaluates the value of a variable as an expression,
 * and an array subscript in it as shell text: `x='a[$(rm b)]'; echo $((x))` runs `rm`.
 */
export const evaluationDoubt = ({ values, evaluated }: Variables): string | undefined => {
  const pending = [...evaluated];
  const seen = new Set<string>(pending);
  for (let text = pending.pop(); text !== undefined; text = pending.pop()) {
    if (text.length > mostOfExpression) return "a long text is evaluated";
    const expression = text.replaceAll(/\$\{#(?:[A-Za-z_]\w*(?:\[[@*\w]+\])?|[\d@*#?$!-])?\}/g, "0");
    if (/\$\((?!\()|`|\$\{?[\d@*!]|\$\{#|\$\{[^}]*[<>]\(/.test(expression))
      return "a text that is only known when the command runs is evaluated";
    const changed = changedName(expression);
    if (changed !== undefined) return `setting ${changed} can change what runs`;
    for (const name of expression.match(/[A-Za-z_]\w*/g) ?? []) {
      if (openNames.test(name)) return `the value of ${name} is evaluated, and may hold code`;
      if (!values.has(name)) continue;
      const known = values.get(name);
      if (known === undefined) return `the value of ${name} is evaluated, and may hold code`;
      for (const value of known) {
        if (value.includes("[")) return `the value of ${name} is evaluated, and holds a subscript`;
        if (!seen.has(value)) {
          seen.add(value);
          pending.push(value);
        }
      }
    }
  }
  return undefined;
};
