import type {
  Audit,
  ExtensionPoint,
  LanguageModel,
  ModelCallFailed,
  ModelEvent,
  ModelReply,
  ModelRequest,
  PermissionGate,
  PromptBuild,
  PromptDraft,
  RunEnd,
  RunInfo,
  Tool,
  ToolCallAdmit,
  ToolCallAfter,
  ToolSpec,
} from "@kumiko/plugin-api";
import type { Answer, Question, Questions } from "@kumiko/runtime-api";
import type * as Effect from "effect/Effect";
import type { IterationCap } from "./IterationCap.ts";
import type { KeptResults } from "./KeptResults.ts";
import type { ModelRef, RetryPolicy } from "./ModelRecovery.ts";
import type { Silence } from "./SilenceWatch.ts";

type ValuesOf<Point> = Point extends ExtensionPoint<infer A> ? ReadonlyArray<A> : never;

/** A harness put together: everything a run needs, the same for all its runs. */
export interface Kernel {
  /** The first of `models`. */
  readonly model: LanguageModel;
  /** In the order they are asked. */
  readonly models: ReadonlyArray<LanguageModel>;
  readonly modelRefs: ReadonlyArray<ModelRef>;
  /** Absent: the default. */
  readonly retry: RetryPolicy | undefined;
  readonly silence: Silence;
  /** One model call, through all `model.call` contributions. */
  readonly generate: (
    model: LanguageModel,
    request: ModelRequest,
    run: RunInfo,
    onEvent: (event: ModelEvent) => void,
  ) => Effect.Effect<ModelReply, ModelCallFailed>;
  readonly tools: ReadonlyMap<string, Tool>;
  /** In fixed order, always the same object: what a provider caches stays valid. */
  readonly toolSpecs: ReadonlyArray<ToolSpec>;
  readonly gate: PermissionGate["Service"];
  readonly questions: Questions["Service"];
  /** Puts a question to whoever is there; absent: nobody is, and `unattended` says what becomes of it. */
  readonly answer: ((question: Question) => Effect.Effect<Answer>) | undefined;
  /** `deny`: refused, with the reason; `suspend`: the run ends for now and waits, saved; `wait`: it waits here. */
  readonly unattended: "deny" | "suspend" | "wait";
  /** How long a question waits for an answer; absent: for ever. */
  readonly questionExpiryMillis: number | undefined;
  /** A run that takes longer is ended, with that reason. */
  readonly runTimeoutMillis: number;
  /** Whether sessions outlive the process. */
  readonly isDurable: boolean;
  readonly prompt: PromptDraft;
  readonly promptBuild: ValuesOf<typeof PromptBuild>;
  readonly admit: ValuesOf<typeof ToolCallAdmit>;
  readonly after: ValuesOf<typeof ToolCallAfter>;
  readonly runEnd: ValuesOf<typeof RunEnd>;
  readonly audit: ValuesOf<typeof Audit>;
  readonly cwd: string;
  readonly iterationCap: IterationCap;
  /** Calls of one reply that run at the same time, at most. */
  readonly maxParallelCalls: number;
  /** Longer results are shortened for the context. */
  readonly maxResultCharacters: number;
  readonly keptResults: KeptResults;
  /** Runs of one session that wait, at most. */
  readonly maxWaitingRuns: number;
}
