export { journalConformance, type JournalConformanceOptions } from "./journalConformance.ts";
