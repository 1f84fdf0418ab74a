import { type AnyActorScope, type AnyStateMachine, createActor } from "xstate";

interface Action {
  readonly type: string;
  readonly params: unknown;
}

export interface InertScope {
  readonly scope: AnyActorScope;
  /** The actions of the last step, in order; the list starts anew. */
  readonly takeActions: () => ReadonlyArray<Action>;
}

const nothing = (): void => {};

/**
 * A scope in which a machine can be stepped and nothing runs: actions are collected. XState's own `transition` builds
 * such a scope, with an actor and a system, for every step; here it is built once a machine.
 */
export const inertScope = (machine: AnyStateMachine): InertScope => {
  // Only the reference is used (`self` in action arguments); the actor is never started.
  const self = createActor(machine);
  let actions: Array<Action> = [];
  const scope: AnyActorScope = {
    self,
    id: "",
    sessionId: "",
    system: self.system,
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    actionExecutor: (action) => {
      actions.push(action);
    },
  };
  return {
    scope,
    takeActions: () => {
      const taken = actions;
      actions = [];
      return taken;
    },
  };
};
