import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { decodeYaml, looksSecret, type Path, readYaml, type YamlProblem } from "@kumiko/settings";
import { AuthProfile, ModelOverride, ModelSettings, ModelSettingsFileInvalid, OwnProvider } from "./ModelsFile.ts";
import { providerAliases, providerNamed } from "./providers.ts";

/**
 * Reads a `models.yaml`. Every mistake is reported with its line: syntax, unknown keys, wrong types, names that do not
 * fit, URLs that are none. A key in the file is refused, and not repeated. An empty file is one without settings.
 *
 * @example
 * ```ts
 * const settings = await Effect.runPromise(parseModelSettings("fallbacks: [openai/gpt-6-luna]\n", "models.yaml"))
 * ```
 */
export const parseModelSettings = Effect.fnUntraced(function* (
  yamlText: string,
  fileName: string,
): Effect.fn.Return<ModelSettings, ModelSettingsFileInvalid> {
  if (yamlText.length > maxCharacters)
    return yield* new ModelSettingsFileInvalid({
      file: fileName,
      line: 0,
      column: 0,
      problem: `it is larger than anybody's settings: expected at most ${maxCharacters} characters`,
    });
  const yaml = yield* readYaml(yamlText);
  const decoded = Result.flatMap(yaml.value, (raw) => decodeYaml(ModelSettings, raw ?? {}, knownKeys));
  const settings = Result.isSuccess(decoded) ? decoded.success : {};
  const problem = Result.isFailure(decoded) ? withHint(decoded.failure) : problemIn(settings);
  if (problem !== undefined)
    return yield* new ModelSettingsFileInvalid({ file: fileName, ...yaml.placeOf(problem), problem: problem.problem });
  return settings;
});

/** Some hundred models and providers fit; a check of much more would take seconds. */
const maxCharacters = 32_768;

const knownKeys = (path: Path): ReadonlyArray<string> => {
  if (path.length === 1) return Object.keys(ModelSettings.fields);
  if (path[0] === "providers") return Object.keys(OwnProvider.fields);
  if (path[0] === "profiles") return Object.keys(AuthProfile.fields);
  return path.includes("prices") ? ["input", "output", "cacheRead", "cacheWrite"] : Object.keys(ModelOverride.fields);
};

const keysDoNotBelong =
  "Keys do not belong into this file: put the key into an environment variable and write the variable's name as keyVariable";

const withHint = (problem: YamlProblem): YamlProblem =>
  /^(?:api_?)?(?:key|token|secret)$/i.test(String(problem.path.at(-1)))
    ? { ...problem, problem: `${problem.problem}. ${keysDoNotBelong}` }
    : problem;

const nameShape = /^[a-z][a-z0-9-]{0,39}$/;

// What the shape alone does not say: names, URLs, and that no key stands there.
const problemIn = (settings: ModelSettings): YamlProblem | undefined =>
  first(
    Object.keys(settings.models ?? {}).map((name) =>
      name.includes("/") ? undefined : at(["models", name], "expected a name such as openai/gpt-6-luna"),
    ),
    Object.entries(settings.providers ?? {}).flatMap(([name, provider]) => [
      nameProblem(["providers", name], name),
      providerNamed(name) === undefined && name !== "rehearsal"
        ? undefined
        : at(["providers", name], "this provider is known already: give it a profile with a baseUrl instead"),
      urlProblem(["providers", name, "baseUrl"], provider.baseUrl),
      variableProblem(["providers", name, "keyVariable"], provider.keyVariable),
    ]),
    Object.entries(settings.profiles ?? {}).flatMap(([provider, profiles]) => [
      providerProblem(settings, provider),
      ...Object.entries(profiles).flatMap(([name, profile]) => [
        nameProblem(["profiles", provider, name], name),
        variableProblem(["profiles", provider, name, "keyVariable"], profile.keyVariable),
        urlProblem(["profiles", provider, name, "baseUrl"], profile.baseUrl),
      ]),
    ]),
    (settings.fallbacks ?? []).map((name, index) =>
      name.trim() === "" || looksSecret(name) ? at(["fallbacks", index], "expected the name of a model") : undefined,
    ),
  );

type Checked = ReadonlyArray<YamlProblem | undefined>;

const first = (...checked: ReadonlyArray<Checked>): YamlProblem | undefined =>
  checked.flat().find((problem) => problem !== undefined);

const at = (path: Path, problem: string): YamlProblem => ({ path, problem });

const nameProblem = (path: Path, name: string): YamlProblem | undefined =>
  nameShape.test(name)
    ? undefined
    : at(path, "expected a name of lower-case letters, digits and dashes, beginning with a letter");

const providerProblem = (settings: ModelSettings, name: string): YamlProblem | undefined => {
  const alias = Object.hasOwn(providerAliases, name) ? providerAliases[name] : undefined;
  if (alias !== undefined) return at(["profiles", name], `expected the provider's own name, ${alias}`);
  if (providerNamed(name) !== undefined || Object.hasOwn(settings.providers ?? {}, name)) return undefined;
  return at(["profiles", name], "expected the name of a provider, one that is known or one under providers");
};

const urlProblem = (path: Path, text: string | undefined): YamlProblem | undefined => {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return at(path, "expected a URL that begins with https://");
  return url.username === "" && url.password === ""
    ? undefined
    : at(path, "expected a URL without user name and password");
};

const variableProblem = (path: Path, variable: string | undefined): YamlProblem | undefined => {
  if (variable === undefined) return undefined;
  if (/^[A-Z_][A-Z0-9_]{0,99}$/.test(variable) && !looksSecret(variable)) return undefined;
  return variable.length >= 16
    ? at(path, `this looks like a key. ${keysDoNotBelong}`)
    : at(path, "expected the name of an environment variable, in capitals");
};
