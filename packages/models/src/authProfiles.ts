import { type Environment, valueOf } from "./Environment.ts";
import type { ModelSettings } from "./ModelsFile.ts";
import type { Provider } from "./providers.ts";

/** An account with a provider: the variable that holds its key, and the name it goes by. */
export interface Account {
  /** Absent: the provider's default account. */
  readonly profile?: string;
  /** Absent: no key is sent. */
  readonly keyVariable?: string;
  readonly baseUrl?: string;
}

/** What follows a key's variable and names no account: `OPENAI_API_KEY_FILE` holds a path. */
const noProfiles: ReadonlySet<string> = new Set(["file", "path", "id", "name", "command", "cmd", "helper", "url"]);

/**
 * The accounts of a provider whose keys are set: its own variable first, then the profiles of the user's file in its
 * order, then those named by convention, `ANTHROPIC_API_KEY_WORK` being the profile `work`, by name.
 */
export const accountsOf = (
  id: string,
  provider: Provider,
  env: Environment,
  settings: ModelSettings,
): ReadonlyArray<Account> => {
  const own = provider.keyVariables.find((variable) => valueOf(env, variable) !== undefined);
  const filed = Object.hasOwn(settings.profiles ?? {}, id) ? (settings.profiles?.[id] ?? {}) : {};
  const named = Object.entries(filed)
    .filter(([, { keyVariable }]) => valueOf(env, keyVariable) !== undefined)
    .map(([profile, account]): Account => ({ profile, ...account }));
  const conventional = Object.keys(env)
    .toSorted()
    .flatMap((variable): ReadonlyArray<Account> => {
      const profile = profileIn(variable, provider.keyVariables);
      return profile === undefined || Object.hasOwn(filed, profile) || valueOf(env, variable) === undefined
        ? []
        : [{ profile, keyVariable: variable }];
    });
  return [...(own === undefined ? [] : [{ keyVariable: own }]), ...named, ...conventional];
};

const profileIn = (variable: string, keyVariables: ReadonlyArray<string>): string | undefined => {
  const base = keyVariables.find((known) => variable.startsWith(`${known}_`));
  if (base === undefined) return undefined;
  const profile = variable
    .slice(base.length + 1)
    .toLowerCase()
    .replaceAll("_", "-");
  return /^[a-z][a-z0-9-]{0,39}$/.test(profile) && !noProfiles.has(profile) ? profile : undefined;
};
