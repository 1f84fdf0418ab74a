export type { Alphabet } from "./agreesWith.ts";
export {
  type FamilyOptions,
  type MachineFamilies,
  machineFamilies,
  type Observed,
  type ReferenceModel,
} from "./machineFamilies.ts";
export { type MutableConfig, mutantOf } from "./mutantOf.ts";
export { phaseOf } from "./phaseOf.ts";
export type { ReachOptions } from "./reachesEverything.ts";
export type { History } from "./replays.ts";
