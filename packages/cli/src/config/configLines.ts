import { shortFolder } from "../sessions/words.ts";
import type { Ignored, Source } from "./Config.ts";

/** Where a value comes from, as people say it. */
export const sourceWords = ({ folder, layer, name }: Source): string =>
  name === undefined
    ? layer
    : `${layer} (${layer === "environment" ? name : shortFolder(name, 60)}${folder === undefined ? "" : `, folder ${folder}`})`;

/** What was not taken, a line for each file. */
export const ignoredLines = (ignored: ReadonlyArray<Ignored>): ReadonlyArray<string> =>
  [...Map.groupBy(ignored, ({ source }) => source.name ?? source.layer)].map(
    ([name, all]) =>
      `${shortFolder(name, 60)} can only tighten what you allow; not taken: ${all.map(({ key, why }) => `${key} (${why})`).join(", ")}`,
  );
