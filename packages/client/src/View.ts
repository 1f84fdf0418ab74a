import type {
  Decision,
  Json,
  ModelFailureReason,
  RunOutcome,
  ToolCallPart,
  ToolResultPart,
  Usage,
} from "@kumiko/plugin-api";

/** A call, from its start to its end. */
export interface CallView {
  readonly type: "call";
  readonly callId: string;
  readonly tool: string;
  /** Absent: the reader came after it had begun. */
  readonly input?: Json;
  /** Milliseconds since 1970; absent as `input` is. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** `running` until its result is in. */
  readonly status: "running" | ToolResultPart["status"];
  /** What it has shown of itself while it ran: the end of it. */
  readonly progress: string;
  readonly result?: ToolResultPart;
  /** The result was taken from an earlier, equal call. */
  readonly reused?: boolean;
}

/** A model call that gave nothing. */
export interface FailureView {
  readonly model: string;
  readonly reason: ModelFailureReason;
  readonly detail: string;
  readonly attempt: number;
  readonly attempts?: number;
  /** When it is tried again, in milliseconds since 1970. */
  readonly retryAt?: number;
}

/** Something on the side that people should know. */
export interface NoticeView {
  readonly type: "notice";
  readonly kind: "switched" | "silent" | "nudge" | "followUp" | "forceStop" | "plugin" | "repair" | "failed";
  readonly text: string;
  readonly time: number;
}

/** An approval that somebody has to give, or has given. */
export interface ApprovalView {
  readonly type: "approval";
  readonly questionId: string;
  readonly callId: string;
  readonly prompt: string;
  readonly decision: Decision;
  /** What was answered; absent: it is open. */
  readonly answer?: string;
}

/** What a run has shown, in its order. */
export type TimelineItem =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | CallView
  | ApprovalView
  | NoticeView;

/** The reply that is coming in. It is void until the finished message supersedes it. */
export interface Draft {
  readonly text: string;
  readonly reasoning: string;
  /** Its beginning has been dropped. */
  readonly isCut: boolean;
}

/** A run as a face shows it. */
export interface RunView {
  readonly runId: string;
  readonly sessionKey: string;
  /** The model that is asked. Absent where the reader came late and none was named since. */
  readonly model?: string;
  readonly isRehearsal: boolean;
  readonly isResumed: boolean;
  readonly cwd?: string;
  /** Of the first event that was read, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Of the last one. */
  readonly changedAt: number;
  readonly lastSeq: number;
  /** The reader came after it had begun: what was before is missing here. */
  readonly isJoinedLate: boolean;
  readonly items: ReadonlyArray<TimelineItem>;
  readonly droppedItems: number;
  readonly draft: Draft;
  /** Of the approvals, those that are open. */
  readonly openApprovals: ReadonlyArray<ApprovalView>;
  /** The calls that the last reply proposed: one that is refused never begins. */
  readonly proposed: ReadonlyArray<ToolCallPart>;
  /** Calls under way. */
  readonly runningCalls: number;
  /** The last model call, if it failed and none succeeded since. */
  readonly failure?: FailureView;
  /** Since when the model is asked, a call runs or an answer is waited for: what `activity` says. */
  readonly activeSince: number;
  readonly activity: "thinking" | "writing" | "calling" | "asking" | "waiting" | "ended";
  readonly modelCalls: number;
  readonly usage: Usage;
  /** What is known of the cost, in US dollars. */
  readonly costUsd?: number;
  readonly costIsPartial: boolean;
  /** How it ended. */
  readonly outcome?: RunOutcome;
}

/** An entry of the todo list that a model keeps with the tool `todo`. */
export interface TodoItem {
  readonly text: string;
  readonly status: string;
}

/** What a face shows of the runs it watches. */
export interface View {
  /** The one that began last stands last. */
  readonly runs: ReadonlyArray<RunView>;
  readonly droppedRuns: number;
  /** The todo list as the model wrote it last. Absent: it never did. */
  readonly todo?: ReadonlyArray<TodoItem>;
  /** Events that could not be used: of a kind or a version that this reader does not know, or read before. */
  readonly skipped: number;
}
