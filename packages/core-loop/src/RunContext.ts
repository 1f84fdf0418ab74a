import type { PromptDraft, RunInfo } from "@kumiko/plugin-api";
import type { Conversation } from "./Conversation.ts";
import type { Kernel } from "./Kernel.ts";
import type { ResultCache } from "./ResultCache.ts";
import type { RunEventHub } from "./RunEventHub.ts";
import type { SessionLog } from "./SessionLog.ts";

/** What the phases of one run share. */
export interface RunContext {
  readonly kernel: Kernel;
  readonly hub: RunEventHub;
  readonly log: SessionLog;
  readonly conversation: Conversation;
  readonly cache: ResultCache;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The prompt before plugins shape it: the kernel's, and what the run itself brings. */
  readonly draft: PromptDraft;
  /** Notes that a model call begins. */
  readonly startIteration: (iteration: number) => void;
  /** The run as contributions are told of it, as of now. */
  readonly info: () => RunInfo;
}
