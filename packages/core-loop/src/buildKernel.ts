import {
  Audit,
  type Contribution,
  type LanguageModel,
  ModelCall,
  PermissionGate,
  PluginFailed,
  PromptBuild,
  RunEnd,
  type Tool,
  ToolCallAdmit,
  ToolCallAfter,
  Tools,
  WorkspaceRoot,
} from "@kumiko/plugin-api";
import { Questions } from "@kumiko/runtime-api";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { effectOf, messageOf } from "./guarded.ts";
import { HarnessMisconfigured } from "./HarnessMisconfigured.ts";
import type { IterationCap } from "./IterationCap.ts";
import { KeptResults } from "./KeptResults.ts";
import type { Kernel } from "./Kernel.ts";
import type { RetryPolicy } from "./ModelRecovery.ts";
import { modelRefOf } from "./modelsFor.ts";
import { resultRead } from "./resultRead.ts";
import { defaultMaxResultCharacters } from "./shortenResult.ts";
import { defaultSilence, type Silence } from "./SilenceWatch.ts";
import type { AnyPlugin } from "./PluginList.ts";
import { defaultSystemPrompt } from "./prompt.ts";

/** A harness described, plugins in order, the gate first. */
export interface KernelOptions {
  /** Not empty. */
  readonly models: readonly [LanguageModel, ...ReadonlyArray<LanguageModel>];
  readonly retry?: RetryPolicy;
  readonly silence?: Silence;
  readonly plugins: ReadonlyArray<AnyPlugin>;
  readonly tools: ReadonlyArray<Tool>;
  readonly systemPrompt: string | undefined;
  readonly cwd: string | undefined;
  readonly iterationCap: IterationCap;
  readonly maxParallelCalls: number;
  readonly maxResultCharacters?: number;
  readonly maxWaitingRuns: number;
  readonly answer?: Kernel["answer"];
  readonly unattended?: Kernel["unattended"];
  readonly questionExpiryMillis?: number;
  readonly runTimeoutMillis?: number;
  readonly isDurable?: boolean;
}

/** 48 hours: longer than any work that is watched, short enough to end one that is forgotten. */
const defaultRunTimeoutMillis = 48 * 3_600_000;

/** Builds the plugins in order, each on the services of those before it, and reads what they contribute. */
export const buildKernel = Effect.fnUntraced(function* (
  options: KernelOptions,
): Effect.fn.Return<Kernel, PluginFailed | HarnessMisconfigured, Scope.Scope | Questions> {
  const scope = yield* Effect.scope;
  let services = Context.empty() as Context.Context<unknown>;
  const contributions: Array<Contribution> = [];
  for (const plugin of options.plugins) {
    if (plugin.layer !== undefined) {
      const building = Effect.provideContext(Layer.buildWithScope(plugin.layer, scope), services);
      const built = yield* namingPlugin(plugin, building);
      yield* refuseDuplicates(plugin, services, built);
      services = Context.merge(services, built);
    }
    const added = yield* namingPlugin(plugin, Effect.provideContext(plugin.contributions, services));
    if (!Array.isArray(added))
      return yield* new PluginFailed({
        plugin: plugin.name,
        detail: "its `contributes` must give a list of contributions",
      });
    contributions.push(...added);
  }
  if (Context.getOption(services, PermissionGate)._tag === "None")
    return yield* new HarnessMisconfigured({
      reason: "bad-option",
      detail: `permissions: the plugin ${options.plugins[0]?.name ?? ""} provides no PermissionGate, so it cannot be the gate`,
    });
  const keptResults = new KeptResults();
  const given = [...Tools.valuesIn(contributions), ...options.tools];
  const reading = resultRead((sessionKey, reference) => keptResults.find(sessionKey, reference));
  const tools = yield* toolsByName(given.length === 0 ? given : [...given, reading]);
  const generate = ModelCall.valuesIn(contributions).reduceRight<Kernel["generate"]>(
    (inner, around) => (model, request, run, onEvent) =>
      effectOf("model.call", () =>
        around(request, (changed) => inner(model, changed, run, onEvent), { run, model: model.id, onEvent }),
      ),
    (model, request, _run, onEvent) => model.generate(request, onEvent),
  );
  return {
    model: options.models[0],
    models: options.models,
    modelRefs: options.models.map(modelRefOf),
    retry: options.retry,
    silence: options.silence ?? defaultSilence,
    generate,
    tools,
    toolSpecs: [...tools.values()].map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    gate: Context.getUnsafe(services, PermissionGate),
    questions: yield* Questions,
    answer: options.answer,
    unattended: options.unattended ?? "deny",
    questionExpiryMillis: options.questionExpiryMillis,
    runTimeoutMillis: options.runTimeoutMillis ?? defaultRunTimeoutMillis,
    isDurable: options.isDurable ?? false,
    prompt: { stable: [{ id: "base", content: options.systemPrompt ?? defaultSystemPrompt }], volatile: [] },
    promptBuild: PromptBuild.valuesIn(contributions),
    admit: ToolCallAdmit.valuesIn(contributions),
    after: ToolCallAfter.valuesIn(contributions),
    runEnd: RunEnd.valuesIn(contributions),
    audit: Audit.valuesIn(contributions),
    cwd: options.cwd ?? WorkspaceRoot.valuesIn(contributions)[0] ?? "/",
    iterationCap: options.iterationCap,
    maxParallelCalls: options.maxParallelCalls,
    maxResultCharacters: options.maxResultCharacters ?? defaultMaxResultCharacters,
    keptResults,
    maxWaitingRuns: options.maxWaitingRuns,
  };
});

// A service that nobody provides shows up as a defect: types would have told, had they not been cast away.
const namingPlugin = <A>({ name }: AnyPlugin, effect: Effect.Effect<A, PluginFailed>): Effect.Effect<A, PluginFailed> =>
  Effect.catchDefect(effect, (defect) =>
    Effect.fail(
      new PluginFailed({
        plugin: name,
        detail: `it could not start: ${messageOf(defect)}. Put a plugin that provides what it needs before it`,
      }),
    ),
  );

const refuseDuplicates = (
  plugin: AnyPlugin,
  before: { readonly mapUnsafe: ReadonlyMap<string, unknown> },
  built: { readonly mapUnsafe: ReadonlyMap<string, unknown> },
): Effect.Effect<void, HarnessMisconfigured> => {
  // Effect keeps its own references in a context too, such as the memo map of the layers being built.
  const twice = [...built.mapUnsafe.keys()].find(
    (key) => key !== Layer.CurrentMemoMap.key && before.mapUnsafe.has(key),
  );
  return twice === undefined
    ? Effect.void
    : Effect.fail(
        new HarnessMisconfigured({
          reason: "duplicate-service",
          detail: `plugin ${plugin.name} provides ${twice}, which an earlier plugin provides already; leave one of the two out`,
        }),
      );
};

const toolsByName = (tools: ReadonlyArray<Tool>): Effect.Effect<ReadonlyMap<string, Tool>, HarnessMisconfigured> => {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (byName.has(tool.name))
      return Effect.fail(
        new HarnessMisconfigured({
          reason: "duplicate-tool",
          detail: `two tools are named ${tool.name}; rename one or leave it out`,
        }),
      );
    byName.set(tool.name, tool);
  }
  return Effect.succeed(byName);
};
