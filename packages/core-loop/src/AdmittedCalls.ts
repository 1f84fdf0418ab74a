import type { AdmittedCall, Decision, Json } from "@kumiko/plugin-api";

const minted = new WeakSet<object>();

/**
 * Turns a call that passed admission into what execution accepts. The one place in the project that makes an
 * {@link AdmittedCall}; not exported from the package.
 */
export const mintAdmittedCall = (call: {
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

/** Whether admission made this very value. */
export const isMinted = (call: AdmittedCall): boolean => minted.has(call);
