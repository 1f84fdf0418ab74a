import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { nearest } from "./internal/nearest.ts";

/** Environment variables, as a plain record. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Which model to use, decided but not made; see `makeModel`. It holds the key: never log it. */
export type ModelChoice =
  | { readonly type: "rehearsal" }
  | {
      readonly type: "openai-compatible";
      readonly provider: string;
      readonly model: string;
      readonly baseUrl: string;
      readonly apiKey?: string;
      readonly maxTokensField: "max_tokens" | "max_completion_tokens";
    };

/** A model name that names no model, or one that lacks something: what is wrong and what would work. */
export class ModelNameInvalid extends Schema.TaggedError<ModelNameInvalid>()("ModelNameInvalid", {
  name: Schema.String,
  problem: Schema.String,
  hint: Schema.String,
}) {
  override get message(): string {
    return `model "${this.name}": ${this.problem}. ${this.hint}`;
  }
}

interface Provider {
  readonly baseUrl: string;
  /** Overrides `baseUrl`. */
  readonly baseUrlVariable?: string;
  readonly keyVariable?: string;
  /** Used where no model was named, and the variable that overrides it. */
  readonly preferred?: { readonly model: string; readonly variable: string };
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
}

// Order counts: without a name, the first provider with a key is taken.
const providers: Readonly<Record<string, Provider>> = {
  openai: {
    baseUrl: "https://api.openai.com/v1",
    baseUrlVariable: "OPENAI_BASE_URL",
    keyVariable: "OPENAI_API_KEY",
    preferred: { model: "gpt-5-mini", variable: "OPENAI_MODEL" },
    maxTokensField: "max_completion_tokens",
  },
  ollama: { baseUrl: "http://127.0.0.1:11434/v1", maxTokensField: "max_tokens" },
};

/** Key for servers named by their URL: the keys of known providers are never sent elsewhere by a name alone. */
const urlKeyVariable = "KUMIKO_API_KEY";

const forms =
  "Known names: rehearsal, openai/<model>, ollama/<model>, and <base URL>#<model> for any OpenAI-compatible server.";

/**
 * Resolves a model's name against an environment. Pure: nothing is opened or loaded.
 *
 * - `rehearsal`: prepared parts, offline
 * - `openai/<model>`: `OPENAI_API_KEY`, and `OPENAI_BASE_URL` where it is not OpenAI itself
 * - `ollama/<model>`: a local Ollama
 * - `<base URL>#<model>`: any OpenAI-compatible server, with `KUMIKO_API_KEY` where it is set
 *
 * No name, or an empty one: the first provider whose key is set, else the rehearsal.
 *
 * @example
 * ```ts
 * modelFor("http://127.0.0.1:8080/v1#qwen3", {})
 * // => Result.succeed({ type: "openai-compatible", provider: "127.0.0.1:8080", model: "qwen3", … })
 * ```
 */
export const modelFor = (name: string | undefined, env: Environment): Result.Result<ModelChoice, ModelNameInvalid> => {
  const wanted = name?.trim() ?? "";
  if (wanted === "") return Result.succeed(preferredModel(env));
  if (wanted === "rehearsal") return Result.succeed({ type: "rehearsal" });
  if (/^https?:\/\//i.test(wanted)) return modelAtUrl(wanted, env);

  const slash = wanted.indexOf("/");
  const id = slash < 0 ? wanted : wanted.slice(0, slash);
  const model = slash < 0 ? "" : wanted.slice(slash + 1);
  const provider = Object.hasOwn(providers, id) ? providers[id] : undefined;
  if (provider === undefined) {
    const meant = nearest(id, ["rehearsal", ...Object.keys(providers)]);
    const suggestion =
      meant === undefined ? "" : `Did you mean "${meant === "rehearsal" ? meant : `${meant}/${model || "<model>"}`}"? `;
    return invalid(wanted, `there is no provider "${id}"`, `${suggestion}${forms}`);
  }
  if (model === "") return invalid(wanted, "it names no model", `Write ${id}/<model>.`);
  return choose(id, provider, model, wanted, env);
};

const choose = (
  id: string,
  provider: Provider,
  model: string,
  name: string,
  env: Environment,
): Result.Result<ModelChoice, ModelNameInvalid> => {
  const apiKey = valueOf(env, provider.keyVariable);
  const otherUrl = valueOf(env, provider.baseUrlVariable);
  // A server of one's own may want no key.
  if (provider.keyVariable !== undefined && apiKey === undefined && otherUrl === undefined)
    return invalid(
      name,
      `it needs a key, and ${provider.keyVariable} is not set`,
      `Set ${provider.keyVariable}, or use "rehearsal".`,
    );
  return Result.succeed({
    type: "openai-compatible",
    provider: id,
    model,
    baseUrl: otherUrl ?? provider.baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    maxTokensField: provider.maxTokensField,
  });
};

const preferredModel = (env: Environment): ModelChoice => {
  for (const [id, provider] of Object.entries(providers)) {
    const { preferred, keyVariable } = provider;
    if (preferred === undefined || valueOf(env, keyVariable) === undefined) continue;
    const model = valueOf(env, preferred.variable) ?? preferred.model;
    const chosen = choose(id, provider, model, id, env);
    if (Result.isSuccess(chosen)) return chosen.success;
  }
  return { type: "rehearsal" };
};

const modelAtUrl = (name: string, env: Environment): Result.Result<ModelChoice, ModelNameInvalid> => {
  const hash = name.indexOf("#");
  const baseUrl = hash < 0 ? name : name.slice(0, hash);
  const model = hash < 0 ? "" : name.slice(hash + 1);
  const url = URL.parse(baseUrl);
  const shown = url === null ? name : `${url.origin}${url.pathname}#${model}`;
  if (url === null) return invalid(shown, "its base URL is none", forms);
  if (url.username !== "" || url.password !== "")
    return invalid(shown, "its base URL holds a user name or password", `Set ${urlKeyVariable} instead.`);
  if (model === "") return invalid(shown, "it names no model", "Write <base URL>#<model>.");
  const apiKey = valueOf(env, urlKeyVariable);
  return Result.succeed({
    type: "openai-compatible",
    provider: url.host,
    model,
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    maxTokensField: "max_tokens",
  });
};

const valueOf = (env: Environment, variable: string | undefined): string | undefined => {
  const value = variable === undefined ? undefined : env[variable]?.trim();
  return value === "" ? undefined : value;
};

const invalid = (name: string, problem: string, hint: string): Result.Result<never, ModelNameInvalid> =>
  Result.fail(new ModelNameInvalid({ name, problem, hint }));
