import { ModelSettingsInvalid } from "./ModelSettingsInvalid.ts";

/** Where the paths of a wire format begin, with `path` added. Throws {@link ModelSettingsInvalid} when it is no place to post to. */
export const endpointOf = (baseUrl: string, path: string): URL => {
  const url = URL.parse(baseUrl);
  if (url === null) throw badUrl("it is no URL");
  if (url.protocol !== "http:" && url.protocol !== "https:") throw badUrl("it is neither http nor https");
  if (url.username !== "" || url.password !== "") throw badUrl("it holds a user name or password; use the API key");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  url.hash = "";
  return url;
};

const badUrl = (problem: string): ModelSettingsInvalid =>
  new ModelSettingsInvalid({ setting: "base URL", problem, hint: "Use one such as https://api.openai.com/v1." });

/** A key as it can be sent: one line of ASCII. Throws {@link ModelSettingsInvalid} when it is none. */
export const sendableKey = (apiKey: string): string => {
  const key = apiKey.trim();
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new ModelSettingsInvalid({
      setting: "API key",
      problem: "it is empty or holds characters that no key has",
      hint: "Copy it again; it is one line of ASCII.",
    });
  return key;
};

/** The headers of every request: a wire format's own, and those that were asked for, which win. */
export const headersOf = (
  own: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> => {
  const all = new Map([
    ["content-type", "application/json"],
    ["accept", "text/event-stream"],
    ["user-agent", "kumiko"],
    ...Object.entries(own),
  ]);
  for (const [name, value] of Object.entries(wanted)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new ModelSettingsInvalid({
        setting: `header ${JSON.stringify(name)}`,
        problem: "its name or value cannot be sent",
        hint: "Use one line of printable characters.",
      });
    all.set(name.toLowerCase(), value);
  }
  return all;
};

/** Shorter values are no secrets, and taking them out of texts would garble them. */
const shortestSecret = 6;

/** Shorter beginnings of a key are public: `sk-`, `Bearer`. */
const shortestPart = 8;

/** Makes the function that takes secrets out of a text. */
export const makeSecretRemover = (values: ReadonlyArray<string>): ((text: string) => string) => {
  const secrets = values.filter((secret) => secret.length >= shortestSecret);
  return (text) => {
    let clean = text;
    for (const secret of secrets) {
      clean = clean.replaceAll(secret, "[secret]");
      // Texts were cut before they came here, so a secret may stand there in part.
      for (let length = secret.length - 1; length >= shortestPart; length--)
        clean = clean.replaceAll(secret.slice(0, length), "[secret]");
    }
    return clean;
  };
};
