import { existsSync } from "node:fs";
import * as Effect from "effect/Effect";
import type { BadInput } from "../BadInput.ts";
import { workingFolder } from "../checkFolders.ts";
import { exitCodes } from "../exitCodes.ts";
import { jsonLine, printable } from "../printable.ts";
import { type Config, listKeys, singleKeys, type Source } from "./Config.ts";
import { configKey } from "./configKey.ts";
import { configFiles } from "./configFiles.ts";
import { ignoredLines, sourceWords } from "./configLines.ts";
import { configSchema } from "./configSchema.ts";
import { variables } from "./environmentLayers.ts";
import { readConfig } from "./readConfig.ts";

interface ShowLine {
  readonly cwd: string | undefined;
  readonly json: boolean;
}

/** A value as it is shown; of a list, one item. */
interface Row {
  readonly key: string;
  readonly value: string;
  readonly source: Source | undefined;
}

/** `kumiko config`. */
export const showConfig = Effect.fnUntraced(function* ({ cwd, json }: ShowLine): Effect.fn.Return<void, BadInput> {
  const config = yield* readConfig(yield* workingFolder(cwd ?? "."));
  if (json)
    return print(
      jsonLine({ ...config.values, sources: config.sources, listed: config.listed, ignored: config.ignored }),
    );
  const rows = rowsOf(config);
  const width = Math.max(...rows.map(({ key }) => key.length));
  const values = Math.min(Math.max(...rows.map(({ value }) => value.length)), 40);
  let last = "";
  for (const { key, source, value } of rows) {
    const name = key === last ? "" : key;
    print(`${name.padEnd(width)}  ${value.padEnd(values)}  ${source === undefined ? "" : sourceWords(source)}`);
    last = key;
  }
  for (const line of ignoredLines(config.ignored)) print(`! ${line}`);
});

const rowsOf = ({ listed, sources, values }: Config): ReadonlyArray<Row> => [
  ...singleKeys.map((key) => ({
    key,
    value: values[key] === undefined ? "(not set)" : String(values[key]),
    source: sources[key],
  })),
  ...Object.entries(listKeys).flatMap(([key, list]): ReadonlyArray<Row> => {
    const items = listed.filter((item) => item.key === list);
    return items.length === 0
      ? [{ key, value: "(none)", source: undefined }]
      : items.map(({ item, source }) => ({ key, value: itemText(item), source }));
  }),
];

const itemText = (item: Config["listed"][number]["item"]): string =>
  typeof item === "string" ? item : `${item.rule} (with examples)`;

/** `kumiko config get`. */
export const getConfig = Effect.fnUntraced(function* ({
  cwd,
  json,
  key: name,
}: ShowLine & { readonly key: string }): Effect.fn.Return<void, BadInput> {
  const key = yield* configKey(name);
  const { values } = yield* readConfig(yield* workingFolder(cwd ?? "."));
  const value = values[key.key];
  if (json) print(jsonLine(value ?? null));
  else if (Array.isArray(value)) for (const item of value) print(itemText(item));
  else if (value !== undefined) print(String(value));
  if (value === undefined || (Array.isArray(value) && value.length === 0)) process.exitCode = exitCodes.error;
});

/** `kumiko config where`. */
export const whereConfig = Effect.fnUntraced(function* ({ cwd, json }: ShowLine): Effect.fn.Return<void, BadInput> {
  const files = configFiles(yield* workingFolder(cwd ?? "."));
  const places = Object.entries(files).map(([layer, file]) => ({ layer, file, exists: existsSync(file) }));
  const set = Object.keys(variables).filter((name) => (process.env[name] ?? "") !== "");
  if (json) return print(jsonLine({ files: places, variables: set }));
  for (const { exists, file, layer } of places) print(`${layer.padEnd(12)} ${file}${exists ? "" : " (not there)"}`);
  print(
    `${"environment".padEnd(12)} ${set.length === 0 ? `none of ${Object.keys(variables).join(", ")}` : set.join(", ")}`,
  );
  print(`${"flags".padEnd(12)} kumiko --help lists them`);
});

/** `kumiko config schema`. */
export const printSchema = Effect.sync(() => print(JSON.stringify(configSchema(), undefined, 2)));

const print = (text: string): void => void process.stdout.write(`${printable(text).trimEnd()}\n`);
