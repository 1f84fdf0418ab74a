export { type Failpoint, Failpoints } from "./Failpoints.node.ts";
export { inboxConformance, type InboxConformanceOptions } from "./inboxConformance.ts";
export { journalConformance, type JournalConformanceOptions } from "./journalConformance.ts";
export { type KillReport, killSuite, type KillSuiteOptions } from "./killSuite.node.ts";
export { questionsConformance, type QuestionsConformanceOptions } from "./questionsConformance.ts";
