import { homedir } from "node:os";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { BadInput } from "../BadInput.ts";
import { settingsText } from "../settingsText.ts";
import { type Config, type ConfigLayer, layersOf, type Source } from "./Config.ts";
import type { ConfigFile } from "./ConfigFile.ts";
import { configFiles } from "./configFiles.ts";
import { environmentLayers } from "./environmentLayers.ts";
import { mergeConfig } from "./mergeConfig.ts";

/**
 * Everything that is set for runs in `cwd`: defaults < user < project < local < environment < flags. A file that does not
 * fit is bad input, whoever wrote it: what it forbids must not be lost.
 */
export const readConfig = Effect.fnUntraced(function* (
  cwd: string,
  flags: ReadonlyArray<ConfigLayer> = [],
): Effect.fn.Return<Config, BadInput> {
  const files = configFiles(cwd);
  const place = { cwd, home: homedir() };
  const layers: Array<ConfigLayer> = [{ source: { layer: "default" }, values: { mode: "ask", plain: false } }];
  for (const layer of ["user", "project", "local"] as const) {
    const source: Source = { layer, name: files[layer] };
    const text = yield* settingsText(files[layer]);
    if (text === undefined) continue;
    const file = yield* parseConfig(text, files[layer]);
    if (layer !== "user" && file.folders !== undefined)
      return yield* new BadInput({ detail: `${files[layer]}: folders belong into ${files.user}` });
    layers.push(...layersOf(file, source, place));
  }
  layers.push(...(yield* environmentLayers(process.env)));
  return mergeConfig([...layers, ...flags]);
});

/** Reads a configuration file's text. */
export const parseConfig = Effect.fnUntraced(function* (
  text: string,
  file: string,
): Effect.fn.Return<ConfigFile, BadInput> {
  // What reads files is loaded where there is one: most runs have none.
  const [{ decodeYaml, looksSecret, readYaml }, { ConfigFile: schema, knownKeys }] = yield* Effect.promise(() =>
    Promise.all([import("@kumiko/settings"), import("./ConfigFile.ts")]),
  );
  const yaml = yield* readYaml(text);
  const decoded = Result.flatMap(yaml.value, (raw) => decodeYaml(schema, raw ?? {}, knownKeys));
  const problem = Result.isFailure(decoded)
    ? decoded.failure
    : decoded.success.model !== undefined && looksSecret(decoded.success.model)
      ? { path: ["model"], problem: "this looks like a key: keys belong into environment variables" }
      : undefined;
  if (Result.isSuccess(decoded) && problem === undefined) return decoded.success;
  const { column, line } = yaml.placeOf(problem ?? { path: [], problem: "" });
  return yield* new BadInput({ detail: `${file}:${line}:${column}: ${problem?.problem ?? ""}` });
});
