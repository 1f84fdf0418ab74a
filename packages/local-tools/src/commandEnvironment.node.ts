/** The variable that marks every process of one call, wherever it went. */
const callVariable = "KUMIKO_CALL";

// The keys that this process talks to models with are not for the commands that a model runs.
const providers =
  "ANTHROPIC AZURE_OPENAI CEREBRAS COHERE DEEPSEEK FIREWORKS GEMINI GOOGLE GOOGLE_GENERATIVE_AI GROQ HUGGINGFACE KUMIKO " +
  "MISTRAL MOONSHOT OPENAI OPENROUTER PERPLEXITY TOGETHER VOYAGE XAI";

/** Variables that commands never get: keys of model providers. Names compare without regard to case. */
export const withheldVariables: ReadonlySet<string> = new Set([
  ...providers.split(" ").map((provider) => `${provider}_API_KEY`),
  "ANTHROPIC_AUTH_TOKEN",
  "HF_TOKEN",
]);

// They would make programs colour their output after all, and speak of a folder that is not the command's.
const unwanted: ReadonlySet<string> = new Set(["FORCE_COLOR", "CLICOLOR_FORCE", "OLDPWD"]);

/** What programs are told about where they run: no colours, no pager, no terminal to ask at. */
const fixed = {
  NO_COLOR: "1",
  TERM: "dumb",
  GIT_TERMINAL_PROMPT: "0",
  PAGER: "cat",
  GIT_PAGER: "cat",
} as const;

/**
 * The environment of a command: that of this process, without the keys of model providers and with colours, pagers and
 * prompts turned off. `added` comes on top. `token` marks all processes of the call.
 */
export const commandEnvironment = (
  inherited: NodeJS.ProcessEnv,
  cwd: string,
  token: string,
  added: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv => {
  const kept = Object.entries(inherited).filter(
    ([name]) => !withheldVariables.has(name.toUpperCase()) && !unwanted.has(name),
  );
  // A command may run this program again: its processes belong to both calls.
  const outer = inherited[callVariable];
  const call = outer === undefined || outer.length > 1000 ? token : `${outer},${token}`;
  return { ...Object.fromEntries(kept), ...fixed, PWD: cwd, ...added, [callVariable]: call };
};
