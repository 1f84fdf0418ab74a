export { Inbox, inboxCapacity, InboxItem, InboxRefused, type InboxTicket } from "./Inbox.ts";
export {
  type AppendOptions,
  Journal,
  type JournalEntry,
  JournalFailed,
  type JournalRecord,
  type JournalWriter,
} from "./Journal.ts";
export { Answer, Question, QuestionNotOpen, Questions } from "./Question.ts";
export { ReaderTooSlow, type RunHandle, RunRefused, type RunRequest, Runs } from "./Runs.ts";
