/**
 * Remembers steps. A machine is pure, so the same snapshot and an event that is nothing but its type give the same step.
 * Workload: a machine with few states that starts without input and moves by plain events (a tool call) goes through
 * the same dozen snapshots thousands of times. Bounded: a machine whose context counts would never repeat one, so after
 * 512 steps no more are added.
 */
export class StepMemory<Step extends object> {
  static readonly maxSteps = 512;
  readonly #steps = new WeakMap<object, Map<string, Step>>();
  #count = 0;
  /** The first step of a machine that takes no input. */
  initial: Step | undefined;

  get(snapshot: object, event: { readonly type: string }): Step | undefined {
    const known = this.#steps.get(snapshot)?.get(event.type);
    return known !== undefined && isPlain(event) ? known : undefined;
  }

  add(snapshot: object, event: { readonly type: string }, step: Step): void {
    if (this.#count >= StepMemory.maxSteps || !isPlain(event)) return;
    this.#count++;
    const steps = this.#steps.get(snapshot);
    if (steps === undefined) this.#steps.set(snapshot, new Map([[event.type, step]]));
    else steps.set(event.type, step);
  }
}

const isPlain = (event: object): boolean => {
  for (const key in event) if (key !== "type") return false;
  return true;
};
