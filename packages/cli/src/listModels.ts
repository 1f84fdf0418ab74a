import { existsSync } from "node:fs";
import { type ListedModel, type ListedProvider, modelOverview } from "@kumiko/models";
import * as Effect from "effect/Effect";
import type { BadInput } from "./BadInput.ts";
import { modelSettingsFile, readModelSettings } from "./modelSettings.ts";
import { jsonLine, printable } from "./printable.ts";

/** `kumiko models`. */
export const listModels = Effect.fnUntraced(function* (line: {
  readonly json: boolean;
}): Effect.fn.Return<void, BadInput> {
  const settings = yield* readModelSettings;
  const overview = modelOverview(process.env, settings);
  const file = modelSettingsFile();
  const isThere = existsSync(file);
  if (line.json) return print(jsonLine({ ...overview, settings: { file, exists: isThere } }));
  print(`default    ${overview.chosen}`);
  if (overview.fallbacks.length > 0) print(`fallbacks  ${overview.fallbacks.join(", ")}`);
  print(`settings   ${file}${isThere ? "" : " (not there)"}`);
  print("");
  table(overview.providers.map((provider) => [provider.id, keysOf(provider)]));
  print("");
  table([
    ["model", "window", "output", "$ in", "$ out", "$ cached"],
    ...overview.models.map((model) => [model.name, ...figuresOf(model)]),
  ]);
});

const keysOf = ({ accounts, isLocal, keyVariables }: ListedProvider): string => {
  const set = accounts.map(({ profile, keyVariable }) =>
    profile === undefined ? (keyVariable ?? "") : `${profile}: ${keyVariable ?? ""}`,
  );
  if (set.length > 0) return `key from ${set.join(", ")}`;
  if (isLocal || keyVariables.length === 0) return "needs no key";
  return `no key: set ${keyVariables.join(" or ")}`;
};

const figuresOf = ({ contextWindow, maxOutput, prices }: ListedModel): ReadonlyArray<string> =>
  [contextWindow, maxOutput, prices?.input, prices?.output, prices?.cacheRead].map((figure) =>
    figure === undefined ? "-" : String(figure),
  );

const table = (rows: ReadonlyArray<ReadonlyArray<string>>): void => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) print(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
};

const print = (text: string): void => {
  process.stdout.write(`${printable(text).trimEnd()}\n`);
};
