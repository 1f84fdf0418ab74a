import * as Result from "effect/Result";
import { accountsOf } from "./authProfiles.ts";
import { type Environment, valueOf } from "./Environment.ts";
import { nearest } from "@kumiko/settings";
import { type ModelChoice, ModelNameInvalid, type RemoteChoice } from "./ModelChoice.ts";
import type { ModelSettings } from "./ModelsFile.ts";
import { type Provider, providerNamed, providers } from "./providers.ts";
import { remoteChoice } from "./remoteChoice.ts";

/** Key for servers named by their URL: the keys of known providers are never sent elsewhere by a name alone. */
const urlKeyVariable = "KUMIKO_API_KEY";

type Single = Omit<RemoteChoice, "candidates">;
type Chosen = Result.Result<ReadonlyArray<Single>, ModelNameInvalid>;

/**
 * Resolves a model's name against an environment and a user's settings. Pure: nothing is opened or loaded.
 *
 * - `rehearsal`: prepared parts, offline
 * - `<provider>/<model>`: a known provider, or one of the settings; needs the provider's key
 * - `<provider>:<profile>/<model>`: with one of several accounts, and no other
 * - `<base URL>#<model>`: any OpenAI-compatible server, with `KUMIKO_API_KEY` where it is set
 *
 * No name, or an empty one: the first provider whose key is set, else the rehearsal. `candidates` lists the other
 * accounts of the model and then the settings' `fallbacks`; a fallback that cannot be resolved is a failure too.
 *
 * @example
 * ```ts
 * modelFor("anthropic:work/claude-opus-5-5", process.env)
 * // => Result.succeed({ type: "remote", wire: "anthropic", profile: "work", … }), with ANTHROPIC_API_KEY_WORK
 * ```
 */
export const modelFor = (
  name: string | undefined,
  env: Environment,
  settings: ModelSettings = {},
): Result.Result<ModelChoice, ModelNameInvalid> => {
  const wanted = name?.trim() || preferredName(env, settings);
  if (wanted === "rehearsal") return Result.succeed({ type: "rehearsal" });
  const resolved = choices(wanted, env, settings);
  if (Result.isFailure(resolved)) return Result.fail(resolved.failure);
  const candidates = [...resolved.success];
  for (const fallback of settings.fallbacks ?? []) {
    const others = choices(fallback.trim(), env, settings);
    if (Result.isFailure(others)) return Result.fail(others.failure);
    candidates.push(...others.success.filter((one) => !candidates.some((other) => isSame(one, other))));
  }
  const [chosen, ...standIns] = candidates;
  return Result.succeed(chosen === undefined ? { type: "rehearsal" } : { ...chosen, candidates: standIns });
};

const isSame = (a: Single, b: Single): boolean =>
  a.provider === b.provider && a.profile === b.profile && a.model === b.model && a.baseUrl === b.baseUrl;

/** Every account that can answer for a name, the first being the chosen one. */
const choices = (wanted: string, env: Environment, settings: ModelSettings): Chosen => {
  if (wanted === "rehearsal") return invalid(wanted, "the rehearsal stands in for no model", "Leave it out.");
  if (/^https?:\/\//i.test(wanted)) return Result.map(modelAtUrl(wanted, env, settings), (one) => [one]);
  const slash = wanted.indexOf("/");
  const [id = "", profile] = (slash < 0 ? wanted : wanted.slice(0, slash)).split(":", 2);
  if (profile?.trim() === "")
    return invalid(wanted, "it names no profile", `Write ${id}:<profile>/<model>, or ${id}/<model>.`);
  const model = slash < 0 ? "" : wanted.slice(slash + 1);
  const found = providerOf(id, settings);
  if (found === undefined) return unknownProvider(wanted, id, model, settings);
  if (model === "") return invalid(wanted, "it names no model", `Write ${id}/<model>.`);
  return withAccounts({ ...found, profile, model, wanted }, env, settings);
};

interface Named {
  readonly id: string;
  readonly provider: Provider;
  readonly profile: string | undefined;
  readonly model: string;
  readonly wanted: string;
}

const withAccounts = (named: Named, env: Environment, settings: ModelSettings): Chosen => {
  const { id, provider, profile, model, wanted } = named;
  const accounts = accountsOf(id, provider, env, settings);
  const choose = (account: (typeof accounts)[number]): Single =>
    remoteChoice({ id, provider, model, account }, env, settings);
  if (profile !== undefined) {
    const account = accounts.find((one) => one.profile === profile);
    const names = accounts.flatMap((one) => (one.profile === undefined ? [] : [one.profile]));
    return account === undefined
      ? invalid(
          wanted,
          `there is no key for the profile "${profile}"`,
          names.length === 0
            ? `Set ${provider.keyVariables[0] ?? "its variable"}_${profile.toUpperCase().replaceAll("-", "_")}.`
            : `Profiles with a key: ${names.join(", ")}.`,
        )
      : Result.succeed([choose(account)]);
  }
  if (accounts.length > 0) return Result.succeed(accounts.map(choose));
  const isElsewhere = provider.baseUrlVariables?.some((variable) => valueOf(env, variable) !== undefined) === true;
  const [variable] = provider.keyVariables;
  // A server of one's own may want no key.
  if (provider.isLocal === true || isElsewhere || variable === undefined) return Result.succeed([choose({})]);
  return invalid(wanted, `it needs a key, and ${variable} is not set`, `Set ${variable}, or use "rehearsal".`);
};

/** The user's own providers, as those that are known have it. */
export const ownProviders = (settings: ModelSettings): Readonly<Record<string, Provider>> =>
  Object.fromEntries(
    Object.entries(settings.providers ?? {}).map(([id, { keyVariable, ...own }]) => [
      id,
      { ...own, keyVariables: keyVariable === undefined ? [] : [keyVariable] },
    ]),
  );

const providerOf = (id: string, settings: ModelSettings): ReturnType<typeof providerNamed> => {
  const own = ownProviders(settings);
  const provider = Object.hasOwn(own, id) ? own[id] : undefined;
  return provider === undefined ? providerNamed(id) : { id, provider };
};

const preferredName = (env: Environment, settings: ModelSettings): string => {
  for (const [id, provider] of Object.entries(providers)) {
    const { preferred } = provider;
    if (preferred === undefined || accountsOf(id, provider, env, settings).length === 0) continue;
    return `${id}/${valueOf(env, preferred.variable) ?? preferred.model}`;
  }
  return "rehearsal";
};

const modelAtUrl = (
  name: string,
  env: Environment,
  settings: ModelSettings,
): Result.Result<Single, ModelNameInvalid> => {
  const hash = name.indexOf("#");
  const baseUrl = hash < 0 ? name : name.slice(0, hash);
  const model = hash < 0 ? "" : name.slice(hash + 1);
  const url = URL.parse(baseUrl);
  const shown = url === null ? name.replace(/\/\/[^/]*@/, "//…@") : `${url.origin}${url.pathname}#${model}`;
  if (url === null) return invalid(shown, "its base URL is none", forms(settings));
  if (url.username !== "" || url.password !== "")
    return invalid(shown, "its base URL holds a user name or password", `Set ${urlKeyVariable} instead.`);
  if (model === "") return invalid(shown, "it names no model", "Write <base URL>#<model>.");
  const provider: Provider = { wire: "chat", baseUrl, keyVariables: [urlKeyVariable] };
  const account = valueOf(env, urlKeyVariable) === undefined ? {} : { keyVariable: urlKeyVariable };
  return Result.succeed(remoteChoice({ id: url.host, provider, model, account }, env, settings));
};

const unknownProvider = (wanted: string, id: string, model: string, settings: ModelSettings): Chosen => {
  const meant = nearest(id, ["rehearsal", ...Object.keys(providers), ...Object.keys(settings.providers ?? {})]);
  const suggestion =
    meant === undefined ? "" : `Did you mean "${meant === "rehearsal" ? meant : `${meant}/${model || "<model>"}`}"? `;
  return invalid(wanted, `there is no provider "${id}"`, `${suggestion}${forms(settings)}`);
};

const forms = (settings: ModelSettings): string =>
  `Known names: rehearsal, <provider>/<model> with one of ${[...Object.keys(providers), ...Object.keys(settings.providers ?? {})].join(", ")}, and <base URL>#<model> for any OpenAI-compatible server.`;

const invalid = (name: string, problem: string, hint: string): Result.Result<never, ModelNameInvalid> =>
  Result.fail(new ModelNameInvalid({ name, problem, hint }));
