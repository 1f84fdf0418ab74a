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

/** Shorter beginnings and ends of a key are public: `sk-`, `Bearer`. */
const shortestPart = 8;

/** What secrets of a header, a URL or a proxy are made of: `Bearer`, a scheme or a user name may stand before them. */
const piecesOf = (value: string): ReadonlyArray<string> => [value, ...value.split(/[\s,;=&:]+/)];

/** What a URL gives away to whom it is shown: the values of its query, and a user's name and password. */
export const secretsInUrl = (address: string): ReadonlyArray<string> => {
  const url = URL.parse(address);
  if (url === null) return [];
  const { password, username } = url;
  const user = [username, password].map(decodeURIComponent);
  return [...url.searchParams.values(), ...user, ...(password === "" ? [] : [btoa(user.join(":"))])];
};

/**
 * Makes the function that takes secrets out of a text, whole and in part: texts were cut before they came here, and what
 * quotes a key may leave out a part of it.
 */
export const makeSecretRemover = (values: ReadonlyArray<string>): ((text: string) => string) => {
  const all = values.flatMap(piecesOf).filter((secret) => secret.length >= shortestSecret && !isWord(secret));
  const secrets = [...new Set(all)].toSorted((a, b) => b.length - a.length);
  return (text) => {
    // What cannot be seen must not hide a secret either.
    let clean = text.replace(/[\p{Cc}\p{Cf}]/gu, (mark) => (/\s/.test(mark) ? mark : ""));
    for (const secret of secrets) {
      clean = clean.replaceAll(secret, "[secret]");
      // The beginning of `Bearer sk-…` is no secret; what follows the space is one of its own.
      if (secret.includes(" ")) continue;
      for (let length = secret.length - 1; length >= shortestPart; length--)
        clean = clean.replaceAll(secret.slice(0, length), "[secret]").replaceAll(secret.slice(-length), "[secret]");
    }
    return clean;
  };
};

// `Bearer`, `application`, `anthropic-version`: of letters alone, and said everywhere.
const isWord = (text: string): boolean => /^[a-z-]{1,20}$/i.test(text);
