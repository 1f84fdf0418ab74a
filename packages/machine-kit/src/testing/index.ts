export {
  type FamilyOptions,
  type MachineFamilies,
  machineFamilies,
  type Observed,
  type ReferenceModel,
} from "./machineFamilies.ts";
export { phaseOf } from "./phaseOf.ts";
export type { History } from "./replays.ts";
