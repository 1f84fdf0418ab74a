/** The wire formats of model servers: Anthropic Messages, OpenAI Chat Completions, OpenAI Responses. */
export type Wire = "anthropic" | "chat" | "responses";

/** A provider as data: where it is, what it speaks, which variables are its own. */
export interface Provider {
  readonly wire: Wire;
  readonly baseUrl: string;
  /** Variables that override `baseUrl`, the first that is set. */
  readonly baseUrlVariables?: ReadonlyArray<string>;
  /** What is spoken where the base URL is overridden. Default: `wire`. */
  readonly wireElsewhere?: Wire;
  /** Variables that hold a key, the first that is set. None: no key is sent. */
  readonly keyVariables: ReadonlyArray<string>;
  /** Variables among `keyVariables` whose key goes as a bearer token, where the wire has another header for keys. */
  readonly bearerVariables?: ReadonlyArray<string>;
  /** Sent with every request, where the variable is set: header to variable. */
  readonly headerVariables?: Readonly<Record<string, string>>;
  /** It runs on this machine: no key is needed. */
  readonly isLocal?: true;
  /** Used where no model was named, and the variable that overrides it. */
  readonly preferred?: { readonly model: string; readonly variable: string };
  readonly maxTokensField?: "max_completion_tokens";
  /** The field in which a model's reasoning goes back to it, for providers that want it. */
  readonly sendsReasoning?: "reasoning_content" | "reasoning_details" | "extra_content";
}

const chatAt = (baseUrl: string, ...keyVariables: ReadonlyArray<string>): Provider => ({
  wire: "chat",
  baseUrl,
  keyVariables,
});

const localAt = (baseUrl: string, ...baseUrlVariables: ReadonlyArray<string>): Provider => ({
  wire: "chat",
  baseUrl,
  baseUrlVariables,
  keyVariables: [],
  isLocal: true,
});

/** Every provider known by name. Order counts: without a name, the first with a key and a preferred model is taken. */
export const providers: Readonly<Record<string, Provider>> = {
  anthropic: {
    wire: "anthropic",
    baseUrl: "https://api.anthropic.com",
    baseUrlVariables: ["ANTHROPIC_BASE_URL"],
    keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    bearerVariables: ["ANTHROPIC_AUTH_TOKEN"],
    preferred: { model: "claude-sonnet-5-5", variable: "ANTHROPIC_MODEL" },
  },
  openai: {
    wire: "responses",
    // What speaks like OpenAI speaks Chat Completions; the Responses format is spoken by few.
    wireElsewhere: "chat",
    baseUrl: "https://api.openai.com/v1",
    baseUrlVariables: ["OPENAI_BASE_URL"],
    keyVariables: ["OPENAI_API_KEY"],
    headerVariables: { "openai-organization": "OPENAI_ORG_ID", "openai-project": "OPENAI_PROJECT_ID" },
    preferred: { model: "gpt-6.2-sol", variable: "OPENAI_MODEL" },
    maxTokensField: "max_completion_tokens",
  },
  google: {
    ...chatAt("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", "GOOGLE_API_KEY"),
    sendsReasoning: "extra_content",
    preferred: { model: "gemini-4-hydrogen", variable: "GEMINI_MODEL" },
  },
  openrouter: {
    ...chatAt("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    sendsReasoning: "reasoning_details",
  },
  deepseek: {
    ...chatAt("https://api.deepseek.com", "DEEPSEEK_API_KEY"),
    sendsReasoning: "reasoning_content",
    preferred: { model: "deepseek-v4-pro", variable: "DEEPSEEK_MODEL" },
  },
  mistral: {
    ...chatAt("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    preferred: { model: "mistral-large-latest", variable: "MISTRAL_MODEL" },
  },
  xai: {
    ...chatAt("https://api.x.ai/v1", "XAI_API_KEY"),
    preferred: { model: "grok-4.6", variable: "XAI_MODEL" },
  },
  groq: chatAt("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
  together: chatAt("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
  fireworks: chatAt("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
  cerebras: chatAt("https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
  ollama: localAt("http://127.0.0.1:11434/v1", "OLLAMA_HOST"),
  lmstudio: localAt("http://127.0.0.1:1234/v1", "LMSTUDIO_BASE_URL"),
  vllm: localAt("http://127.0.0.1:8000/v1", "VLLM_BASE_URL"),
  llamacpp: localAt("http://127.0.0.1:8080/v1", "LLAMACPP_BASE_URL"),
};

/** Other names of the same provider. */
export const providerAliases: Readonly<Record<string, string>> = { gemini: "google" };

/** The provider of a name or an alias, under its own name. */
export const providerNamed = (name: string): { readonly id: string; readonly provider: Provider } | undefined => {
  const id = Object.hasOwn(providerAliases, name) ? providerAliases[name] : name;
  const provider = id !== undefined && Object.hasOwn(providers, id) ? providers[id] : undefined;
  return id === undefined || provider === undefined ? undefined : { id, provider };
};
