import { definePlugin, PermissionGate, type ProposedCall } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { behindPatterns } from "./behindPatterns.ts";
import { decideCall, prepareCall } from "./decideCall.ts";
import { homeFolder } from "./homeFolder.node.ts";
import { patternLinks, type PatternLinks } from "./patternLinks.node.ts";
import { PermissionConfig } from "./PermissionConfig.ts";
import { permissionRules } from "./PermissionRules.ts";
import { realPath } from "./RealPath.node.ts";

/**
 * The permission engine: provides the gate through which every call goes.
 *
 * **Contract.** As `PermissionGate` says: never fails, allows nothing it doubts, and the same call with the same files
 * gives the same decision. Unusable rules are refused at the call, with the rule.
 *
 * @example
 * ```ts
 * const permissions = permissionEngine({ allow: ["go test *", "file_write(src/**)"], deny: ["git push *"] })
 * ```
 */
export const permissionEngine = definePlugin({
  name: "permission-engine",
  version: "0.1.0",
  api: 1,
  config: PermissionConfig,
  layer: (config) =>
    Layer.effect(
      PermissionGate,
      Effect.gen(function* () {
        const home = config.home ?? (yield* homeFolder);
        const { allow = [], grants } = config;
        let granted = grants?.size ?? 0;
        const rulesNow = () => permissionRules({ ...config, allow: [...allow, ...(grants?.rules ?? [])] }, home);
        let rules = rulesNow();
        const decide = Effect.fnUntraced(function* (call: ProposedCall) {
          if (grants !== undefined && grants.size !== granted) {
            granted = grants.size;
            rules = rulesNow();
          }
          // What is granted while symlinks are followed counts from the next call on.
          const current = rules;
          const named = prepareCall(call, current);
          const links = new Map<string, PatternLinks>();
          for (const { path } of named.patterns) links.set(path, yield* patternLinks(path));
          const prepared = behindPatterns(named, current, links);
          const real = new Map<string, string | undefined>();
          for (const path of prepared.paths) {
            const found = yield* realPath(path);
            real.set(path, found.type === "resolved" ? found.path : undefined);
          }
          return decideCall(prepared, current, real);
        });
        return PermissionGate.of({ decide });
      }),
    ),
});
