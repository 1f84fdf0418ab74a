import { catalogue, type CatalogueEntry } from "./catalogue.ts";

/** How OpenRouter calls providers that are named otherwise here. */
const routedNames: Readonly<Record<string, string>> = { mistralai: "mistral", "x-ai": "xai" };

/** What may follow a name without changing what it is: a date, `latest`, a version of a snapshot. */
const version = /^-(?:latest|\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|v\d+)$/;

/**
 * What the catalogue knows of `provider/model`: of the name itself, else of the longest name that it is a dated version
 * of. OpenRouter's names are looked up at the provider they name (`openrouter/anthropic/claude-sonnet-5.5`), without
 * what follows a colon; their prices are OpenRouter's own, so only the window is taken over. Pure.
 *
 * @example
 * ```ts
 * knownModel("anthropic/claude-haiku-4-5-20251001")?.contextWindow // => 200_000
 * knownModel("openai/gpt-5-made-up") // => undefined
 * ```
 */
export const knownModel = (name: string): CatalogueEntry | undefined => {
  const routed = /^openrouter\/([^/]+)\/([^:]+)/.exec(name);
  if (routed === null) return entryOf(name);
  const [, provider = "", model = ""] = routed;
  const own = Object.hasOwn(routedNames, provider) ? routedNames[provider] : provider;
  // Anthropic writes its versions with dashes, OpenRouter with dots.
  const known = entryOf(`${own}/${own === "anthropic" ? model.replaceAll(".", "-") : model}`);
  if (known === undefined) return undefined;
  const { prices: _, ...rest } = known;
  return rest;
};

const entryOf = (name: string): CatalogueEntry | undefined => {
  const exact = catalogue.get(name);
  if (exact !== undefined) return exact;
  for (let dash = name.lastIndexOf("-"); dash > 0; dash = name.lastIndexOf("-", dash - 1))
    if (version.test(name.slice(dash))) {
      const entry = catalogue.get(name.slice(0, dash));
      if (entry !== undefined) return entry;
    }
  return undefined;
};
