import type { Contribution, Plugin, PluginFailed } from "@kumiko/plugin-api";
import type * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";

/** A plugin whose services are not known to the types any more. */
export interface AnyPlugin {
  readonly name: string;
  readonly version: string;
  readonly api: number;
  readonly layer: Layer.Layer<never, PluginFailed, unknown> | undefined;
  readonly contributions: Effect.Effect<ReadonlyArray<Contribution>, PluginFailed, unknown>;
}

/** What a plugin list fails to type-check with: `name` needs `Needs`, which no earlier plugin provides. */
export interface PluginNeedsAnEarlierPlugin<out Name, out Needs> {
  readonly name: Name;
  readonly needs: Needs;
  readonly _: "put a plugin that provides it before this one";
}

type Checked<Available, Plugins> = Plugins extends readonly [infer First, ...infer Rest]
  ? First extends Plugin<infer Name, infer Provides, infer Requires>
    ? [Exclude<Requires, Available>] extends [never]
      ? readonly [First, ...Checked<Available | Provides, Rest>]
      : readonly [PluginNeedsAnEarlierPlugin<Name, Exclude<Requires, Available>>, ...Checked<Available, Rest>]
    : readonly [First, ...Checked<Available, Rest>]
  : Plugins;

/** A plugin list as it must be: each one's needs are met by `Available` or by plugins before it. */
export type PluginList<Available, Plugins> = Checked<Available, Plugins>;
