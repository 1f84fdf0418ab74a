import { type ListedProvider, modelOverview } from "@kumiko/models";
import * as Effect from "effect/Effect";
import { readModelSettings } from "./modelSettings.ts";
import type { ModelFailed } from "./waitWords.ts";

/** What to do about the failed model call that a run ended with; undefined where its reason says all there is. */
export const failureHelp = (failure: ModelFailed): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    const settings = yield* Effect.orElseSucceed(readModelSettings, () => ({}));
    return helpWith(failure, modelOverview(process.env, settings).providers);
  });

/** Holds a server's key where a model is named by its URL. */
const urlKeyVariable = "KUMIKO_API_KEY";

const helpWith = ({ model, reason }: ModelFailed, providers: ReadonlyArray<ListedProvider>): string | undefined => {
  // `provider/model (profile)`, as events name a model.
  const [, id = "", profile] = /^([^/]*)\/.*?(?: \(([^()]+)\))?$/.exec(model) ?? [];
  const provider = providers.find((one) => one.id === id);
  switch (reason) {
    case "auth":
      return keyHelp(provider, profile);
    case "network":
      if (provider?.isLocal === true)
        return `${provider.id} is asked at ${provider.baseUrl}; kumiko models says where providers are looked for`;
      return provider === undefined
        ? "a server of your own is named by --model <base URL>#<name>"
        : "is this machine online, and does it need a proxy (HTTPS_PROXY)?";
    case "context-overflow":
      return "the conversation is longer than the model can read: go on with a model of a larger window (kumiko models lists them), or begin a new session";
    case "not-found":
      return "is the name of the model right? kumiko models lists what is known";
    case "rate-limit":
    case "overloaded":
    case "server":
    case "timeout":
      return "nothing is wrong on this side: wait a while, or ask another model (--fallback names one that stands in)";
    case "bad-response":
    case "bad-request":
      return "the provider and this model do not go together as they are: another model may do";
  }
};

const keyHelp = (provider: ListedProvider | undefined, profile: string | undefined): string => {
  const account =
    provider?.accounts.find((one) => one.profile === profile) ??
    provider?.accounts.find((one) => one.profile === undefined);
  const set =
    account?.keyVariable ??
    (provider === undefined && process.env[urlKeyVariable] !== undefined ? urlKeyVariable : undefined);
  if (set !== undefined) return `check the key in ${set}, and the account behind it`;
  const variables = provider === undefined ? [urlKeyVariable] : provider.keyVariables;
  return variables.length === 0
    ? "it wants a key: give its provider a keyVariable in models.yaml (kumiko models says where that is)"
    : `set ${variables.join(" or ")} to a key that it takes`;
};
