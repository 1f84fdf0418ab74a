import type { LanguageModel, PromptDraft, RunInfo } from "@kumiko/plugin-api";
import type { Question } from "@kumiko/runtime-api";
import type * as Effect from "effect/Effect";
import type { Conversation } from "./Conversation.ts";
import type { EarlierCall } from "./EarlierCall.ts";
import type { KnownFiles } from "./KnownFiles.ts";
import type { Kernel } from "./Kernel.ts";
import type { ResultCache } from "./ResultCache.ts";
import type { RunEventHub } from "./RunEventHub.ts";
import type { SilenceWatch } from "./SilenceWatch.ts";
import type { SessionLog } from "./SessionLog.ts";

/** What the phases of one run share. */
export interface RunContext {
  readonly kernel: Kernel;
  /** Those it may ask, in order. */
  readonly models: ReadonlyArray<LanguageModel>;
  readonly silence: SilenceWatch;
  readonly hub: RunEventHub;
  readonly log: SessionLog;
  readonly conversation: Conversation;
  readonly cache: ResultCache;
  readonly files: KnownFiles;
  /** Calls of the last reply as an earlier process left them, by their ids. */
  readonly earlierCalls: Map<string, EarlierCall>;
  /** Ends the run for now: it waits for the answer to a question, saved. Never returns. */
  readonly suspend: (question: Question) => Effect.Effect<never>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The prompt before plugins shape it: the kernel's, and what the run itself brings. */
  readonly draft: PromptDraft;
  /** Notes that a model call begins. */
  readonly startIteration: (iteration: number) => void;
  /** The run as contributions are told of it, as of now. */
  readonly info: () => RunInfo;
}
