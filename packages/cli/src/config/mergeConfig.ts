import type { PermissionMode } from "@kumiko/permission-engine";
import {
  type Config,
  type ConfigLayer,
  type Ignored,
  listKeys,
  type Listed,
  type ListValues,
  singleKeys,
  type SingleValues,
  type Source,
} from "./Config.ts";

/** From the strictest on. */
const modes: ReadonlyArray<PermissionMode> = ["plan", "ask", "accept-edits", "auto"];

/** What a run may make where nothing says otherwise; a project cannot give itself more. */
const defaultMaxTurns = 100;

/**
 * Merges layers, the weakest first. Of single values the last one counts, lists grow and name nothing twice. What lies in
 * a project (`project`, `local`) can only tighten: denials, questions, a stricter mode, fewer turns; anything else there
 * is left out and told.
 *
 * @example
 * ```ts
 * const { values } = mergeConfig([
 *   { source: { layer: "user" }, values: { mode: "ask", deny: ["git push *"] } },
 *   { source: { layer: "project" }, values: { mode: "auto", deny: ["rm *"] } },
 * ])
 * // values.mode => "ask", values.deny => ["git push *", "rm *"]
 * ```
 */
export const mergeConfig = (layers: ReadonlyArray<ConfigLayer>): Config => {
  const values: { -readonly [Key in keyof SingleValues]?: SingleValues[Key] } = {};
  const sources: Partial<Record<keyof SingleValues, Source>> = {};
  const listed = new Map<string, Listed>();
  const ignored: Array<Ignored> = [];
  for (const layer of layers) {
    const { source } = layer;
    const isOfProject = source.layer === "project" || source.layer === "local";
    const take = <Key extends keyof SingleValues>(key: Key): void => {
      const value = layer.values[key];
      if (value === undefined) return;
      const why = isOfProject ? whyLooser(key, value, values) : undefined;
      if (why !== undefined) return void ignored.push({ source, key, why });
      values[key] = value;
      sources[key] = source;
    };
    for (const key of singleKeys) take(key);
    for (const [name, key] of Object.entries(listKeys))
      for (const item of layer.values[key] ?? []) {
        if (isOfProject && key !== "deny" && key !== "ask") {
          ignored.push({ source, key: name, why: "it would allow more" });
          break;
        }
        const id = `${key} ${JSON.stringify(item)}`;
        if (!listed.has(id)) listed.set(id, { key, item, source });
      }
  }
  const items = [...listed.values()];
  return { values: { ...values, ...listsOf(items) }, sources, listed: items, ignored };
};

const whyLooser = (
  key: keyof SingleValues,
  value: SingleValues[keyof SingleValues],
  { maxTurns = defaultMaxTurns, mode = "ask" }: Partial<SingleValues>,
): string | undefined => {
  switch (key) {
    case "mode":
      return modes.findIndex((known) => known === value) <= modes.indexOf(mode)
        ? undefined
        : `${String(value)} is looser than ${mode}`;
    case "maxTurns":
      return Number(value) <= maxTurns ? undefined : `${String(value)} is more than ${maxTurns}`;
    default:
      return "it is the user's to say";
  }
};

const listsOf = (items: ReadonlyArray<Listed>): ListValues => {
  const rules = (wanted: keyof ListValues) => items.flatMap(({ item, key }) => (key === wanted ? [item] : []));
  const texts = (wanted: keyof ListValues) => rules(wanted).filter((item) => typeof item === "string");
  return {
    allow: rules("allow"),
    ask: rules("ask"),
    deny: rules("deny"),
    workspaceRoots: texts("workspaceRoots"),
    hosts: texts("hosts"),
  };
};
