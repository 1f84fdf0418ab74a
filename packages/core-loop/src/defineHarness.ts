import { layerMemory, questionsMemory } from "@kumiko/journal";
import {
  type ImagePart,
  type LanguageModel,
  type PermissionGate,
  type Plugin,
  type PluginFailed,
  pluginApiVersion,
  type RunEvent,
  type RunOutcome,
  type Tool,
} from "@kumiko/plugin-api";
import {
  Answer,
  type Inbox,
  type Journal,
  type Question,
  type Questions,
  type RunHandle,
  RunRefused,
  Runs,
} from "@kumiko/runtime-api";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as ManagedRuntime from "effect/ManagedRuntime";
import * as Schema from "effect/Schema";
import * as Stream from "effect/Stream";
import { buildKernel, type KernelOptions } from "./buildKernel.ts";
import { messageOf } from "./guarded.ts";
import { defaultRetryPolicy, type RetryPolicy } from "./ModelRecovery.ts";
import { defaultSilence, type Silence } from "./SilenceWatch.ts";
import { HarnessMisconfigured } from "./HarnessMisconfigured.ts";
import { type IterationCap, iterationCaps } from "./IterationCap.ts";
import type { Kernel } from "./Kernel.ts";
import { layerRuns } from "./layerRuns.ts";
import type { AnyPlugin, PluginList } from "./PluginList.ts";
import { type PromptPart, promptReport, shapePrompt } from "./prompt.ts";

/** How {@link defineHarness} is told of a harness. */
export interface HarnessOptions<Gate extends AnyPlugin, Plugins extends ReadonlyArray<AnyPlugin>> {
  /**
   * One model, or several in the order they are asked: when the first has failed for good, the run goes on with the next.
   * Several accounts of one model are several models of one `id` with a `profile` each.
   */
  readonly model: LanguageModel | readonly [LanguageModel, ...ReadonlyArray<LanguageModel>];
  /** How failed model calls are repeated; what is left out is as in `defaultRetryPolicy`. */
  readonly retry?: Partial<RetryPolicy>;
  /** How long a model may say nothing: 90 s until people are told, 540 s until the call counts as failed. */
  readonly silence?: Partial<Silence>;
  /** The gate. There is no harness without one. */
  readonly permissions: Gate;
  /** In order: each may use the services of those before it. */
  readonly plugins?: Plugins;
  /** Tools of your own, after those of the plugins. */
  readonly tools?: ReadonlyArray<Tool>;
  /** Replaces the base prompt. */
  readonly systemPrompt?: string;
  /** The folder runs work in, absolute. Default: what a plugin says (`localTools` says its root). */
  readonly cwd?: string;
  /** Model calls with tools a run may make: one number, or one for GUI work too. Default 100, GUI 250. */
  readonly maxIterations?: number | IterationCap;
  /** Calls of one reply that run at once. Default 8: more than models propose, fewer than a disk or API minds. */
  readonly maxParallelCalls?: number;
  /**
   * Longest text of a tool's result in the context, in characters. Longer ones are shortened to head and tail; the model
   * can read the rest with the tool `result_read`, which every harness with tools has. Default 30 000.
   */
  readonly maxResultCharacters?: number;
  /** Runs of one session that may wait. Default 100. */
  readonly maxWaitingRuns?: number;
  /** Answers approvals. Without it, `unattended` says what becomes of calls that need a person. */
  readonly onQuestion?: (question: Question) => Answer | Promise<Answer> | Effect.Effect<Answer>;
  /**
   * Where there is no `onQuestion`. `deny` (default): such a call is refused, with the reason; `suspend`: the run ends
   * with status `suspended`, saved, and goes on once the question is answered and the session opened again; `wait`: it
   * waits here for an answer through `Questions`, from any process.
   */
  readonly unattended?: "deny" | "suspend" | "wait";
  /** How long a question waits for an answer before it counts as refused. Default: for ever. */
  readonly questionExpiryMillis?: number;
  /** A run that takes longer ends with status `aborted` and that reason. Default: 48 hours; at most 24 days. */
  readonly runTimeoutMillis?: number;
  /**
   * Where sessions are kept: `layerSqlite` of `@kumiko/journal/sqlite` keeps them in files, so that they outlive the
   * process. Default: in memory, gone with it.
   */
  readonly sessions?: Layer.Layer<Journal | Questions | Inbox>;
}

/** What a single run may say of itself. */
export interface RunOptions {
  /** Default `main`. Runs of one session share the conversation and follow one another. */
  readonly sessionKey?: string;
  /** Images that belong to the prompt; see {@link RunRequest.images}. */
  readonly images?: ReadonlyArray<ImagePart>;
  /** Instructions for this run only. */
  readonly instructions?: string;
  /** Id of the model to begin with, of those the harness has. Default: the first. */
  readonly model?: string;
  /** Name of the account to begin with. Default: the first. */
  readonly profile?: string;
  /** Aborting it ends the run with status `aborted`. */
  readonly signal?: AbortSignal;
}

/** A harness: a Layer of {@link Runs} (the Effect face) with two faces for everybody else. */
export interface Harness extends Layer.Layer<Runs, PluginFailed | HarnessMisconfigured> {
  /** Runs to the end. Rejects only when the run was not accepted; how it ended is in the outcome. */
  readonly run: (input: string, options?: RunOptions) => Promise<RunOutcome>;
  /** Runs and yields the events. Leaving the loop early ends the run. */
  readonly stream: (input: string, options?: RunOptions) => AsyncIterable<RunEvent>;
  /**
   * Goes on with what a session left unfinished, and yields the events of its runs, one after another; nothing
   * unfinished: none. Leaving the loop early ends the run.
   */
  readonly resume: (sessionKey: string, options?: Pick<RunOptions, "signal">) => AsyncIterable<RunEvent>;
  /** What the model sees before the conversation, part by part, with estimated tokens. */
  readonly promptReport: () => Promise<ReadonlyArray<PromptPart>>;
  /** Ends everything the harness runs. Idempotent. */
  readonly dispose: () => Promise<void>;
}

/**
 * Puts a harness together. Nothing runs, loads or connects before its first use.
 *
 * A missing or misplaced plugin is a compile error that names it. Throws {@link HarnessMisconfigured} for two plugins
 * of one name, one made for another API version, or an option out of range; two services or tools of one name fail at
 * the first use.
 *
 * @example
 * ```ts
 * const harness = defineHarness({
 *   model: openAiCompatible({ baseUrl: "http://127.0.0.1:11434/v1", model: "qwen3" }),
 *   permissions: permissionEngine({ allow: ["go test ./..."] }),
 *   plugins: [localTools({ root: "." })],
 * })
 * const { text } = await harness.run("Collect every TODO comment into issues.md")
 * ```
 */
export const defineHarness = <Name extends string, const Plugins extends ReadonlyArray<AnyPlugin> = readonly []>(
  options: HarnessOptions<Plugin<Name, PermissionGate, never>, PluginList<PermissionGate, Plugins> & Plugins>,
): Harness => {
  checkGiven(options);
  const { maxIterations = iterationCaps.default, onQuestion, questionExpiryMillis, sessions, unattended } = options;
  const { maxResultCharacters, model, retry, runTimeoutMillis, silence } = options;
  const kernelOptions: KernelOptions = {
    models: isList(model) ? model : [model],
    plugins: [options.permissions, ...(options.plugins ?? [])],
    tools: options.tools ?? [],
    systemPrompt: options.systemPrompt,
    cwd: options.cwd,
    iterationCap: typeof maxIterations === "number" ? { standard: maxIterations, gui: maxIterations } : maxIterations,
    maxParallelCalls: options.maxParallelCalls ?? 8,
    maxWaitingRuns: options.maxWaitingRuns ?? 100,
    isDurable: sessions !== undefined,
    ...(onQuestion === undefined ? {} : { answer: answerBy(onQuestion) }),
    ...(unattended === undefined ? {} : { unattended }),
    ...(questionExpiryMillis === undefined ? {} : { questionExpiryMillis }),
    ...(runTimeoutMillis === undefined ? {} : { runTimeoutMillis }),
    ...(maxResultCharacters === undefined ? {} : { maxResultCharacters }),
    ...(retry === undefined ? {} : { retry: { ...defaultRetryPolicy, ...retry } }),
    ...(silence === undefined ? {} : { silence: { ...defaultSilence, ...silence } }),
  };
  checkOptions(kernelOptions);
  return facesOf(layerHarness(kernelOptions, sessions ?? Layer.merge(layerMemory, questionsMemory)));
};

// Who answers may be any program: what is no answer, or fails, counts as a refusal that says so.
const answerBy =
  (onQuestion: NonNullable<HarnessOptions<AnyPlugin, []>["onQuestion"]>) =>
  (question: Question): Effect.Effect<Answer> =>
    Effect.suspend((): Effect.Effect<unknown> => {
      const answer = onQuestion(question);
      return Effect.isEffect(answer) ? answer : Effect.promise(async () => answer);
    }).pipe(
      Effect.map((answer): Answer =>
        isAnswer(answer)
          ? answer
          : {
              type: "deny",
              reason: `what answers questions gave ${JSON.stringify(answer) ?? "nothing"}, which is no answer`,
            },
      ),
      Effect.catchDefect((defect) =>
        Effect.succeed<Answer>({ type: "deny", reason: `what answers questions failed: ${messageOf(defect)}` }),
      ),
    );
const isAnswer = Schema.is(Answer);

/** The kernel a harness was built to; for its own faces. */
class BuiltKernel extends Context.Service<BuiltKernel, Kernel>()("@kumiko/core-loop/BuiltKernel") {}

type HarnessLayer = Layer.Layer<Runs | BuiltKernel, PluginFailed | HarnessMisconfigured>;

const layerHarness = (options: KernelOptions, sessions: Layer.Layer<Journal | Questions>): HarnessLayer =>
  Layer.unwrap(
    Effect.map(buildKernel(options), (kernel) => Layer.merge(layerRuns(kernel), Layer.succeed(BuiltKernel)(kernel))),
  ).pipe(Layer.provide(sessions));

const facesOf = (layer: HarnessLayer): Harness => {
  const runtime = ManagedRuntime.make(layer);
  let isDisposed = false;
  const begin = async <A, E>(effect: Effect.Effect<A, E, Runs | BuiltKernel>): Promise<A> => {
    if (isDisposed) throw new RunRefused({ reason: "closed", sessionKey: "", detail: "the harness was disposed of" });
    return runtime.runPromise(effect);
  };
  const watched = (handle: RunHandle, signal: AbortSignal | undefined): RunHandle => {
    const abort = (): void => void Effect.runFork(handle.cancel("the caller aborted the run"));
    if (signal?.aborted === true) abort();
    signal?.addEventListener("abort", abort, { once: true });
    const wait = Effect.ensuring(
      handle.wait,
      Effect.sync(() => signal?.removeEventListener("abort", abort)),
    );
    return { ...handle, wait };
  };
  const start = (input: string, { sessionKey = "main", signal, ...rest }: RunOptions, observed: boolean) =>
    Effect.flatMap(Runs, (runs) =>
      Effect.map(runs.start({ ...rest, sessionKey, input, observed }), (handle) => watched(handle, signal)),
    );
  const eventsOf = (handle: RunHandle) => Stream.ensuring(handle.events, handle.cancel("its reader went away"));
  const iterable = <E>(events: Stream.Stream<RunEvent, E, Runs>): AsyncIterable<RunEvent> => ({
    [Symbol.asyncIterator]: () => {
      const iterator = Effect.flatMap(Runs, (runs) =>
        Effect.sync(() => Stream.toAsyncIterableWith(events, Context.make(Runs, runs))[Symbol.asyncIterator]()),
      );
      return lazyIterator(() => begin(iterator));
    },
  });
  const faces: Omit<Harness, keyof HarnessLayer> = {
    // Waiting is done outside of the runtime, so that disposing of it tells the outcome instead of cutting the wait.
    run: async (input, options = {}) => Effect.runPromise((await begin(start(input, options, false))).wait),
    stream: (input, options = {}) => iterable(Stream.unwrap(Effect.map(start(input, options, true), eventsOf))),
    resume: (sessionKey, { signal } = {}) =>
      iterable(
        Stream.unwrap(
          Effect.map(
            Effect.flatMap(Runs, (runs) => runs.resume(sessionKey)),
            (handles) => Stream.flatMap(Stream.fromIterable(handles), (handle) => eventsOf(watched(handle, signal))),
          ),
        ),
      ),
    promptReport: () =>
      begin(
        Effect.flatMap(BuiltKernel, ({ cwd, prompt, promptBuild, toolSpecs }) => {
          const run = { runId: "report", sessionKey: "report", cwd, iteration: 0 };
          const shaped = shapePrompt(promptBuild, prompt, (shape, draft) =>
            Effect.catchCause(shape(draft, run), () => Effect.succeed(draft)),
          );
          return Effect.map(shaped, (draft) => promptReport(draft, toolSpecs));
        }),
      ),
    dispose: () => {
      isDisposed = true;
      return runtime.dispose();
    },
  };
  return Object.assign(layer, faces);
};

const isList = <A>(value: A | readonly [A, ...ReadonlyArray<A>]): value is readonly [A, ...ReadonlyArray<A>] =>
  Array.isArray(value);

/** An iterator that is made at the first `next`, once; after `return` it is over, whatever was asked before. */
const lazyIterator = <A>(make: () => Promise<AsyncIterator<A>>): AsyncIterator<A> => {
  const over = { done: true, value: undefined } as const;
  let made: Promise<AsyncIterator<A>> | undefined;
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();
  return {
    // One after another: what is asked for while another is under way waits its turn.
    next: () => {
      const next = last.then(async () => (isOver ? over : (await (made ??= make())).next()));
      last = next.catch(() => {}); // who asked for it is told; the next in line only waits
      return next;
    },
    return: async () => {
      isOver = true;
      await (await made)?.return?.();
      return over;
    },
  };
};

// What types say already, for callers without them: named, instead of a failure somewhere inside.
const checkGiven = (options: {
  readonly model?: unknown;
  readonly permissions?: unknown;
  readonly plugins?: unknown;
}): void => {
  const { model, permissions, plugins = [] } = options;
  const models: ReadonlyArray<unknown> = Array.isArray(model) ? model : [model];
  if (models.length === 0 || models.some((one) => typeof one !== "object" || one === null))
    throw misconfigured("bad-option", "model is missing");
  if (permissions === undefined)
    throw misconfigured("bad-option", "permissions is missing: there is no harness without a gate");
  for (const plugin of [permissions, ...(Array.isArray(plugins) ? plugins : [plugins])])
    if (typeof plugin !== "object" || plugin === null || !("contributions" in plugin))
      throw misconfigured(
        "bad-option",
        typeof plugin === "function"
          ? "a plugin is listed that was not called: write permissionEngine(), not permissionEngine"
          : `${JSON.stringify(plugin)} is listed as a plugin, but is none`,
      );
};

const checkOptions = ({
  cwd,
  iterationCap,
  maxParallelCalls,
  maxWaitingRuns,
  plugins,
  runTimeoutMillis,
}: KernelOptions): void => {
  const names = new Set<string>();
  for (const { api, name } of plugins) {
    if (names.has(name)) throw misconfigured("duplicate-plugin", `plugin ${name} is listed twice; leave one out`);
    names.add(name);
    if (api !== pluginApiVersion)
      throw misconfigured(
        "wrong-api",
        `plugin ${name} was made for plugin API ${api}; this harness has ${pluginApiVersion}`,
      );
  }
  if (cwd !== undefined && !/^(?:\/|[A-Za-z]:[\\/])/.test(cwd))
    throw misconfigured("bad-option", `cwd is ${JSON.stringify(cwd)}; it must be an absolute path`);
  const { gui, standard } = iterationCap;
  const counts = { maxIterations: standard, "maxIterations.gui": gui, maxParallelCalls, maxWaitingRuns };
  // Timers count to 2^31 milliseconds.
  if (runTimeoutMillis !== undefined && !(runTimeoutMillis > 0 && runTimeoutMillis < 2 ** 31))
    throw misconfigured(
      "bad-option",
      `runTimeoutMillis is ${runTimeoutMillis}; it must be above 0 and below ${2 ** 31}`,
    );
  for (const [option, value] of Object.entries(counts))
    if (!Number.isSafeInteger(value) || value < 1)
      throw misconfigured("bad-option", `${option} is ${value}; it must be a whole number of at least 1`);
};

const misconfigured = (reason: HarnessMisconfigured["reason"], detail: string): HarnessMisconfigured =>
  new HarnessMisconfigured({ reason, detail });
