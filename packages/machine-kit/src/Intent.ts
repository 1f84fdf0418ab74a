/**
 * What a machine asks of the world. `key` names the work, for cancelling it; without one, the type does. A second
 * intent with the key of one still at work does not stop it: a machine cancels what it no longer wants.
 */
export interface Intent {
  readonly type: `intent.${string}`;
  readonly key?: string;
}

/** Stops the work of the intent with this key. Emitted on leaving the state that started it. */
export interface CancelIntent {
  readonly type: "intent.cancel";
  readonly key: string;
}

export const isCancelIntent = (intent: { readonly type: string }): intent is CancelIntent =>
  intent.type === "intent.cancel";

/** The name an intent's work can be cancelled by. */
export const keyOf = (intent: { readonly type: string }): string =>
  "key" in intent && typeof intent.key === "string" ? intent.key : intent.type;
