import { type AnyStateMachine, createMachine } from "xstate";

/** A machine's configuration, to be changed in place. */
export interface MutableConfig {
  [key: string]: MutableConfig;
}

/**
 * A copy of a machine with a seeded fault: `change` edits a copy of its configuration in place. The families must
 * catch it; a fault that none catches shows what the suite does not test.
 *
 * @example
 * ```ts
 * const deaf = mutantOf(lampMachine, (config) => { delete config["states"]["on"]["on"]["bulb.broke"] })
 * ```
 */
export const mutantOf = <M extends AnyStateMachine>(machine: M, change: (config: MutableConfig) => void): M => {
  const config = copy(machine.config) as MutableConfig;
  change(config);
  return createMachine(config as never, machine.implementations as never) as unknown as M;
};

const copy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)]));
};
