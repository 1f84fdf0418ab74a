import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import type { Contribution } from "./ExtensionPoint.ts";
import { schemaProblem } from "./internal/schemaProblem.ts";

/** The version of this contract. A plugin made for another is refused. */
export const pluginApiVersion = 1;

/** A plugin that could not start: which one, and what to do about it. */
export class PluginFailed extends Schema.TaggedError<PluginFailed>()("PluginFailed", {
  plugin: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return `plugin ${this.plugin}: ${this.detail}`;
  }
}

/**
 * A part of a harness, configured. `Provides` are the services its layer gives to later plugins, `Requires` what it
 * needs from earlier ones.
 */
export interface Plugin<out Name extends string, in out Provides, out Requires> {
  readonly name: Name;
  readonly version: string;
  readonly api: typeof pluginApiVersion;
  /** Absent: the plugin has no services. */
  readonly layer: Layer.Layer<Provides, PluginFailed, Requires> | undefined;
  readonly contributions: Effect.Effect<ReadonlyArray<Contribution>, PluginFailed, Provides | Requires>;
}

/** How {@link definePlugin} is told of a plugin. */
export interface PluginDefinition<
  Name extends string,
  Config extends Schema.Codec<unknown, unknown>,
  Provides,
  Requires,
> {
  readonly name: Name;
  readonly version: string;
  readonly api: typeof pluginApiVersion;
  /** Settings; give every field a default, so that the plugin works without any. */
  readonly config: Config;
  /** The plugin's services. Default: none. */
  readonly layer?: (config: Config["Type"]) => Layer.Layer<Provides, PluginFailed, Requires>;
  /** What it adds to extension points. Evaluated once a harness. Default: nothing. */
  readonly contributes?: (
    config: Config["Type"],
  ) => ReadonlyArray<Contribution> | Effect.Effect<ReadonlyArray<Contribution>, PluginFailed, Provides | Requires>;
}

type ConfigArgument<Config extends Schema.Codec<unknown, unknown>> = {} extends Config["Encoded"]
  ? [config?: Config["Encoded"]]
  : [config: Config["Encoded"]];

/**
 * Makes a plugin: a function from its settings to a part of a harness. Settings that do not fit throw
 * {@link PluginFailed} at the call, with the field.
 *
 * @example
 * ```ts
 * const greeter = definePlugin({
 *   name: "greeter",
 *   version: "1.0.0",
 *   api: 1,
 *   config: Schema.Struct({ greeting: Schema.optionalKey(Schema.String) }),
 *   contributes: ({ greeting = "Hello" }) => [
 *     PromptBuild.add((draft) =>
 *       Effect.succeed({ ...draft, stable: [...draft.stable, { id: "greeter", content: `Begin with ${greeting}.` }] }),
 *     ),
 *   ],
 * })
 * const plugins = [greeter(), greeter({ greeting: "Servus" })]
 * ```
 */
export const definePlugin =
  <const Name extends string, Config extends Schema.Codec<unknown, unknown>, Provides = never, Requires = never>(
    definition: PluginDefinition<Name, Config, Provides, Requires>,
  ): ((...config: ConfigArgument<Config>) => Plugin<Name, Provides, Requires>) =>
  (...[encoded]) => {
    const { name, version, api } = definition;
    const config = decodeConfig(name, definition.config, encoded ?? {});
    const contributed = definition.contributes?.(config) ?? [];
    return {
      name,
      version,
      api,
      layer: definition.layer?.(config),
      contributions: Effect.isEffect(contributed) ? contributed : Effect.succeed(contributed),
    };
  };

const decodeConfig = <Config extends Schema.Codec<unknown, unknown>>(
  plugin: string,
  schema: Config,
  encoded: unknown,
): Config["Type"] => {
  try {
    return Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(encoded);
  } catch (error) {
    throw new PluginFailed({
      plugin,
      detail: `its settings do not fit: ${schemaProblem(error instanceof Error ? error.message : String(error))}`,
    });
  }
};
