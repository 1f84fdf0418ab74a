import { type Environment, valueOf } from "./Environment.ts";
import { ModelSettingsInvalid } from "./ModelSettingsInvalid.ts";

/**
 * The proxy that the environment names for a URL: `HTTPS_PROXY` or `HTTP_PROXY` by its scheme, else `ALL_PROXY`; lower
 * case wins over upper. `undefined`: none, or one of the hosts in `NO_PROXY` (names with all below them, `host:port`,
 * `*`). What runs on this machine is never asked for through a proxy. Pure.
 *
 * @example
 * ```ts
 * proxyFor("https://api.openai.com/v1", { HTTPS_PROXY: "http://proxy.example:3128" }) // => "http://proxy.example:3128"
 * proxyFor("http://127.0.0.1:11434/v1", { HTTP_PROXY: "http://proxy.example:3128" }) // => undefined
 * ```
 */
export const proxyFor = (baseUrl: string, env: Environment): string | undefined => {
  const url = URL.parse(baseUrl);
  if (url === null || isLoopback(url.hostname)) return undefined;
  const proxy = either(env, url.protocol === "https:" ? "https_proxy" : "http_proxy") ?? either(env, "all_proxy");
  if (proxy === undefined) return undefined;
  const exempt = (either(env, "no_proxy") ?? "").split(/[\s,]+/).filter((entry) => entry !== "");
  if (exempt.some((entry) => isExempt(url, entry.toLowerCase()))) return undefined;
  // `proxy.example:3128` is how many write it.
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
};

/** Throws {@link ModelSettingsInvalid} for a proxy that cannot be used. What it says holds nothing of the URL. */
export const checkedProxy = (proxy: string): string => {
  const protocol = URL.parse(proxy)?.protocol;
  if (protocol === "http:" || protocol === "https:") return proxy;
  throw new ModelSettingsInvalid({
    setting: "proxy",
    problem: protocol === undefined ? "it is no URL" : "it is neither http nor https",
    hint: "Set HTTPS_PROXY to one such as http://proxy.example:3128, or name the host in NO_PROXY.",
  });
};

const either = (env: Environment, name: string): string | undefined =>
  valueOf(env, name) ?? valueOf(env, name.toUpperCase());

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127\.\d/.test(hostname);

const isExempt = ({ hostname, port, protocol }: URL, entry: string): boolean => {
  if (entry === "*") return true;
  const [, name = "", wantedPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const actualPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  if (wantedPort !== undefined && wantedPort !== actualPort) return false;
  return name !== "" && (hostname === name || hostname.endsWith(`.${name}`));
};
