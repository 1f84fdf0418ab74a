// What must not compile, with the name of the plugin in the message: `npm run typecheck` fails when it does compile.
import { definePlugin, type LanguageModel, PermissionGate } from "@kumiko/plugin-api";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { defineHarness } from "../src/index.ts";

class Store extends Context.Service<Store, { readonly size: number }>()("typetest/Store") {}
class Unknown extends Context.Service<Unknown, { readonly size: number }>()("typetest/Unknown") {}

declare const model: LanguageModel;
const base = { version: "1", api: 1, config: Schema.Struct({}) } as const;
const gate = definePlugin({
  ...base,
  name: "gate",
  layer: () => Layer.succeed(PermissionGate)({ decide: () => Effect.never }),
});
const store = definePlugin({ ...base, name: "store", layer: () => Layer.succeed(Store)({ size: 1 }) });
const reader = definePlugin({
  ...base,
  name: "reader",
  contributes: () => Effect.map(Store, () => []),
});
const lost = definePlugin({ ...base, name: "lost", contributes: () => Effect.map(Unknown, () => []) });
const watcher = definePlugin({ ...base, name: "watcher", contributes: () => Effect.map(PermissionGate, () => []) });

export const sound = [
  defineHarness({ model, permissions: gate() }),
  defineHarness({ model, permissions: gate(), plugins: [store(), reader(), watcher()] }),
];

// @ts-expect-error there is no harness without a gate
defineHarness({ model });

// @ts-expect-error a plugin without a gate cannot be the gate
defineHarness({ model, permissions: store() });

// @ts-expect-error "reader" needs Store from an earlier plugin
defineHarness({ model, permissions: gate(), plugins: [reader(), store()] });

// @ts-expect-error "lost" needs Unknown, which nothing provides
defineHarness({ model, permissions: gate(), plugins: [store(), lost()] });
