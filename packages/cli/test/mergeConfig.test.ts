import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConfigLayer, layersOf, singleKeys } from "../src/config/Config.ts";
import { mergeConfig } from "../src/config/mergeConfig.ts";

const modes = ["plan", "ask", "accept-edits", "auto"] as const;
const rule = fc.constantFrom("git push *", "rm *", "npm test*", "ls *");
const values = fc.record(
  {
    model: fc.constantFrom("ollama/a", "openai/b"),
    mode: fc.constantFrom(...modes),
    maxTurns: fc.integer({ min: 1, max: 300 }),
    unattended: fc.constantFrom("deny" as const, "suspend" as const, "wait" as const),
    auditLog: fc.constantFrom("/a", "/b"),
    plain: fc.boolean(),
    allow: fc.array(rule, { maxLength: 3 }),
    ask: fc.array(rule, { maxLength: 3 }),
    deny: fc.array(rule, { maxLength: 3 }),
    hosts: fc.array(fc.constantFrom("a.example", "*"), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const layer = (name: ConfigLayer["source"]["layer"]): fc.Arbitrary<ConfigLayer> =>
  values.map((given) => ({ source: { layer: name, name }, values: given }));
const trusted = fc.tuple(layer("default"), layer("user"));
const project = fc.tuple(layer("project"), layer("local"));

describe("configuration layers", () => {
  it("give each single value to the last layer that has it, and say which", () =>
    fc.assert(
      fc.property(trusted, layer("environment"), layer("flag"), (before, environment, flag) => {
        const layers = [...before, environment, flag];
        const merged = mergeConfig(layers);
        for (const key of singleKeys) {
          const last = layers.findLast((one) => one.values[key] !== undefined);
          expect(merged.values[key]).toEqual(last?.values[key]);
          expect(merged.sources[key]).toEqual(last?.source);
        }
      }),
    ));

  it("add up lists, nothing twice, in the order of the layers", () =>
    fc.assert(
      fc.property(trusted, layer("flag"), (before, flag) => {
        const layers = [...before, flag];
        const all = layers.flatMap((one) => one.values.deny ?? []);
        expect(mergeConfig(layers).values.deny).toEqual([...new Set(all)]);
      }),
    ));

  it("of a project only ever tighten, and what is not taken is said", () =>
    fc.assert(
      fc.property(trusted, project, (before, own) => {
        const without = mergeConfig(before);
        const merged = mergeConfig([...before, ...own]);
        expect(modes.indexOf(merged.values.mode ?? "ask")).toBeLessThanOrEqual(
          modes.indexOf(without.values.mode ?? "ask"),
        );
        expect(merged.values.maxTurns ?? 100).toBeLessThanOrEqual(without.values.maxTurns ?? 100);
        for (const key of [
          "model",
          "unattended",
          "questionTimeout",
          "auditLog",
          "plain",
          "allow",
          "hosts",
          "workspaceRoots",
        ] as const)
          expect(merged.values[key]).toEqual(without.values[key]);
        for (const key of ["deny", "ask"] as const)
          expect(merged.values[key]).toEqual([...new Set([without, ...own].flatMap((one) => one.values[key] ?? []))]);
        for (const { source, values: given } of own) {
          const said = merged.ignored.filter((one) => one.source === source).map(({ key }) => key);
          if (given.model !== undefined) expect(said).toContain("model");
          if ((given.allow ?? []).length > 0) expect(said).toContain("permissions.allow");
        }
      }),
    ));

  it("have a part for the folders a run is in, the more exact one last", () => {
    const file = {
      mode: "ask" as const,
      folders: {
        "~/app/sub": { mode: "auto" as const },
        "~/app": { mode: "plan" as const, permissions: { allow: ["ls *"] } },
        "/home/u/application": { mode: "accept-edits" as const },
      },
    };
    const at = (cwd: string) => mergeConfig(layersOf(file, { layer: "user" }, { cwd, home: "/home/u" })).values;
    expect(at("/home/u/app/sub/deep")).toMatchObject({ mode: "auto", allow: ["ls *"] });
    expect(at("/home/u/app")).toMatchObject({ mode: "plan", allow: ["ls *"] });
    expect(at("/home/u/other")).toMatchObject({ mode: "ask", allow: [] });
  });
});
