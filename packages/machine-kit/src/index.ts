export { type Cell, startCell } from "./Cell.ts";
export { type CancelIntent, type Intent, isCancelIntent, keyOf } from "./Intent.ts";
export { type ActorLog, type ActorOptions, type MachineActor, MachineKit } from "./MachineKit.ts";
export { replay } from "./replay.ts";
export {
  type EventOf,
  type InputOf,
  type IntentOf,
  isActive,
  type SnapshotOf,
  type Step,
  type Stepper,
  stepperOf,
  type Timer,
} from "./Stepper.ts";
