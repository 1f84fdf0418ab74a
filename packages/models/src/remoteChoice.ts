import type { Account } from "./authProfiles.ts";
import { type Environment, valueOf } from "./Environment.ts";
import type { KnownModel } from "./catalogue.ts";
import { knownModel } from "./knownModel.ts";
import type { RemoteChoice } from "./ModelChoice.ts";
import type { ModelSettings } from "./ModelsFile.ts";
import type { Provider, Wire } from "./providers.ts";
import { proxyFor } from "./proxyFor.ts";

/** A provider's model with one account. */
export interface Pick {
  readonly id: string;
  readonly provider: Provider;
  readonly model: string;
  readonly account: Account;
}

/**
 * Anthropic's format cannot do without an output limit. More than this is asked for by the settings only: the limit
 * counts against the window, and no turn of an agent is that long.
 */
const usualMaxOutput = 32_000;

/** Puts together what a client needs: where, with which key, through which proxy, and what the model can do. */
export const remoteChoice = (
  { id, provider, model, account }: Pick,
  env: Environment,
  settings: ModelSettings,
): Omit<RemoteChoice, "candidates"> => {
  const given = account.baseUrl ?? otherBaseUrl(id, provider, env);
  const isElsewhere = given !== undefined && URL.parse(given)?.hostname !== URL.parse(provider.baseUrl)?.hostname;
  // The provider's own host is never sent a key in the clear, whatever was written.
  const elsewhere =
    given !== undefined && !isElsewhere && provider.isLocal !== true ? given.replace(/^http:/i, "https:") : given;
  const wire = isElsewhere ? (provider.wireElsewhere ?? provider.wire) : provider.wire;
  const baseUrl = versioned(elsewhere ?? provider.baseUrl, wire);
  const key = valueOf(env, account.keyVariable);
  const isBearer =
    account.keyVariable !== undefined &&
    provider.bearerVariables?.some((one) => account.keyVariable?.startsWith(one)) === true;
  const headers = isElsewhere ? undefined : headersOf(provider, env);
  const proxy = proxyFor(baseUrl, env);
  const known = knownFor(`${id}/${model}`, settings);
  // What runs on one's own machine is not paid by the token.
  const prices = known.prices ?? (provider.isLocal === true ? { input: 0, output: 0 } : undefined);
  const said = settingsFor(`${id}/${model}`, settings)?.maxOutput;
  const maxOutput = said ?? (wire === "anthropic" ? Math.min(known.maxOutput ?? usualMaxOutput, usualMaxOutput) : 0);
  return {
    type: "remote",
    wire,
    provider: id,
    model,
    baseUrl,
    ...(account.profile === undefined ? {} : { profile: account.profile }),
    ...(key === undefined ? {} : isBearer ? { authToken: key } : { apiKey: key }),
    ...(headers === undefined ? {} : { headers }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(known.contextWindow === undefined ? {} : { contextWindowTokens: known.contextWindow }),
    ...(maxOutput === 0 ? {} : { maxOutputTokens: maxOutput }),
    ...(prices === undefined ? {} : { prices }),
    ...(provider.sendsReasoning === undefined ? {} : { sendsReasoning: provider.sendsReasoning }),
    ...(provider.maxTokensField === undefined ? {} : { maxTokensField: provider.maxTokensField }),
  };
};

/** What is known of a model: the user's word before the catalogue's, figure by figure. */
export const knownFor = (name: string, settings: ModelSettings): KnownModel => ({
  ...knownModel(name),
  ...settingsFor(name, settings),
});

const settingsFor = (name: string, { models = {} }: ModelSettings): KnownModel | undefined =>
  Object.hasOwn(models, name) ? models[name] : undefined;

const otherBaseUrl = (id: string, provider: Provider, env: Environment): string | undefined => {
  const variable = provider.baseUrlVariables?.find((one) => valueOf(env, one) !== undefined);
  const value = valueOf(env, variable);
  return value !== undefined && id === "ollama" ? ollamaUrl(value) : value;
};

// OLLAMA_HOST also tells the server where to listen: a host, a port, or an address that means every interface.
const ollamaUrl = (host: string): string => {
  const url = URL.parse(/^https?:\/\//.test(host) ? host : `http://${host.replace(/^:/, "127.0.0.1:")}`);
  if (url === null) return host;
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.port === "" && url.protocol === "http:" && !/:80\b/.test(host)) url.port = "11434";
  return `${url.origin}${url.pathname.replace(/\/+$/, "") || "/v1"}`;
};

// Anthropic's own clients are given the base URL without the version, others with it.
const versioned = (baseUrl: string, wire: Wire): string =>
  wire !== "anthropic" || /\/v\d+\/?$/.test(baseUrl) ? baseUrl : `${baseUrl.replace(/\/+$/, "")}/v1`;

// Headers that name an organisation are for the provider itself; other servers have no use for them.
const headersOf = (
  { headerVariables = {} }: Provider,
  env: Environment,
): Readonly<Record<string, string>> | undefined => {
  const named = Object.entries(headerVariables).flatMap(([header, variable]) => {
    const value = valueOf(env, variable);
    return value === undefined ? [] : [[header, value] as const];
  });
  return named.length === 0 ? undefined : Object.fromEntries(named);
};
