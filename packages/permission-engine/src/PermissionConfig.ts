import * as Schema from "effect/Schema";
import { canonicalHost } from "./HostAddress.ts";
import { RuleWithExamples } from "./ConfiguredRule.ts";
import { Grants } from "./Grants.ts";
import { exampleProblem, type RuleList } from "./ruleExamples.ts";
import { ruleProblem } from "./ToolRule.ts";

const textProblem = (rule: string): string | undefined => {
  const problem = ruleProblem(rule);
  return problem === undefined ? undefined : `the rule ${JSON.stringify(rule)} cannot be used: ${problem}`;
};

const Text = Schema.String.check(Schema.makeFilter(textProblem));
const rules = (list: RuleList) =>
  Schema.Array(
    Schema.Union([
      Text,
      RuleWithExamples.check(
        Schema.makeFilter((configured) => textProblem(configured.rule) ?? exampleProblem(configured, list)),
      ),
    ]),
  );

const Folder = Schema.String.check(
  Schema.makeFilter((path: string) =>
    path.startsWith("/") || path === "~" || path.startsWith("~/")
      ? undefined
      : `${JSON.stringify(path)} must be absolute or start with ~/`,
  ),
);

const Host = Schema.String.check(
  Schema.makeFilter((host: string) =>
    host === "*" || (canonicalHost(host.replace(/^\*\./, "")) !== undefined && !host.slice(1).includes("*"))
      ? undefined
      : `${JSON.stringify(host)} must be a host name, *.domain, or * for all`,
  ),
);

/**
 * Settings of the engine. Every field may be left out.
 *
 * A rule is a glob over commands (`git push *`), `tool:<name>` for all calls of a tool, `<name>(<glob>)` for some of
 * them (`file_write(src/**)`), or `read:<glob>`, `write:<glob>`, `connect:<glob>` for what any tool or command does;
 * names may be globs too. It may carry examples: `{ rule: "npm run *", match: ["npm run build"], notMatch:
 * ["npm publish"] }`; settings with an example that is not so are refused.
 */
export const PermissionConfig = Schema.Struct({
  /** Default: `ask`. */
  mode: Schema.optionalKey(Schema.Literals(["plan", "ask", "accept-edits", "auto"])),
  allow: Schema.optionalKey(rules("allow")),
  deny: Schema.optionalKey(rules("deny")),
  /** Asks even where another rule allows. */
  ask: Schema.optionalKey(rules("ask")),
  /** Folders that count as the workspace besides the one a run works in. */
  workspaceRoots: Schema.optionalKey(Schema.Array(Folder)),
  /** Default: the user's home as the system names it. */
  home: Schema.optionalKey(Folder.check(Schema.isPattern(/^\//))),
  network: Schema.optionalKey(
    Schema.Struct({
      /** Hosts that may be contacted without asking: `api.example.com`, `*.example.com` (the domain and all below), `*`. */
      allow: Schema.optionalKey(Schema.Array(Host)),
    }),
  ),
  /** Allowances that are given later, while the engine runs. Not for files: made by `makeGrants`. */
  grants: Schema.optionalKey(Schema.instanceOf(Grants)),
});
export type PermissionConfig = typeof PermissionConfig.Type;
