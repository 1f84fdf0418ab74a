export { noView, reduceRunEvent } from "./reduceRunEvent.ts";
export { todoOf } from "./todoOf.ts";
export type {
  ApprovalView,
  CallView,
  Draft,
  FailureView,
  NoticeView,
  RunView,
  TimelineItem,
  TodoItem,
  View,
} from "./View.ts";
export { bounds } from "./bounds.ts";
