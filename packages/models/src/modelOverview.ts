import * as Result from "effect/Result";
import { accountsOf } from "./authProfiles.ts";
import { catalogue, type KnownModel } from "./catalogue.ts";
import type { Environment } from "./Environment.ts";
import { modelFor, ownProviders } from "./modelFor.ts";
import type { ModelSettings } from "./ModelsFile.ts";
import { providers, type Wire } from "./providers.ts";
import { knownFor } from "./remoteChoice.ts";

/** A provider as a user meets it. It holds names of variables, never a key. */
export interface ListedProvider {
  readonly id: string;
  readonly wire: Wire;
  readonly baseUrl: string;
  /** It runs on the user's machine and wants no key. */
  readonly isLocal: boolean;
  /** Where a key may stand; none: it wants none. */
  readonly keyVariables: ReadonlyArray<string>;
  /** Accounts whose keys are set, by the variable that holds the key; one without a profile is the default one. */
  readonly accounts: ReadonlyArray<{ readonly profile?: string; readonly keyVariable?: string }>;
}

/** A model as a user meets it, by `provider/model`. */
export interface ListedModel extends KnownModel {
  readonly name: string;
  /** Where the figures come from: a page and its date, or the user's own file. */
  readonly source: string;
}

/** What can be asked, from where, and what is known of it. */
export interface ModelOverview {
  /** `provider/model` of a run that names none; `rehearsal` where no key is set. */
  readonly chosen: string;
  readonly fallbacks: ReadonlyArray<string>;
  readonly providers: ReadonlyArray<ListedProvider>;
  readonly models: ReadonlyArray<ListedModel>;
}

/** Lists what `modelFor` would choose from. Pure, and without any key. */
export const modelOverview = (env: Environment, settings: ModelSettings = {}): ModelOverview => {
  const chosen = Result.getOrUndefined(modelFor(undefined, env, { ...settings, fallbacks: [] }));
  const all = { ...providers, ...ownProviders(settings) };
  const names = new Set([...Object.keys(settings.models ?? {}), ...catalogue.keys()]);
  return {
    chosen: chosen === undefined || chosen.type === "rehearsal" ? "rehearsal" : `${chosen.provider}/${chosen.model}`,
    fallbacks: settings.fallbacks ?? [],
    providers: Object.entries(all).map(([id, provider]) => ({
      id,
      wire: provider.wire,
      baseUrl: provider.baseUrl,
      isLocal: provider.isLocal === true,
      keyVariables: provider.keyVariables,
      accounts: accountsOf(id, provider, env, settings).map(({ profile, keyVariable }) => ({
        ...(profile === undefined ? {} : { profile }),
        ...(keyVariable === undefined ? {} : { keyVariable }),
      })),
    })),
    models: [...names].map((name) => ({
      name,
      source: Object.hasOwn(settings.models ?? {}, name) ? "models.yaml" : (catalogue.get(name)?.source ?? ""),
      ...figures(knownFor(name, settings)),
    })),
  };
};

const figures = ({ contextWindow, maxOutput, prices }: KnownModel): KnownModel => ({
  ...(contextWindow === undefined ? {} : { contextWindow }),
  ...(maxOutput === undefined ? {} : { maxOutput }),
  ...(prices === undefined ? {} : { prices }),
});
