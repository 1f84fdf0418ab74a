import type { AdmittedCall } from "../AdmittedCall.ts";
import type { Decision } from "../Decision.ts";
import type { Json } from "../Json.ts";

const minted = new WeakSet<object>();
const spent = new WeakSet<object>();

/** Makes an admitted call: the one place that does. */
export const mint = (call: {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  readonly decision: Decision;
}): AdmittedCall => {
  // The brand exists in types only, so that nobody else can write one by accident.
  const admitted = Object.freeze({ ...call }) as unknown as AdmittedCall;
  minted.add(admitted);
  return admitted;
};

export const isMinted = (call: AdmittedCall): boolean => minted.has(call);

/** Uses an admitted call up. What is wrong with it, if it is none, or was used before. */
export const spend = (call: AdmittedCall): string | undefined => {
  if (!minted.has(call)) return "a call that was never admitted";
  if (spent.has(call)) return "an admitted call that was executed already";
  spent.add(call);
  return undefined;
};
