/**
 * The host in a URL, `host:port`, `user@host` or `[v6]:port`, as written, in lower case; undefined when there is none.
 *
 * @example
 * ```ts
 * hostOf("https://user@API.example.com:8443/x") // => "api.example.com"
 * ```
 */
export const hostOf = (text: string): string | undefined => {
  const authority = /^(?:[A-Za-z][A-Za-z0-9+.-]*:)?\/\/([^/?#\\]*)/.exec(text)?.[1] ?? text.replace(/[/?#\\].*$/s, "");
  const afterUser = authority.slice(authority.lastIndexOf("@") + 1);
  const host =
    /^\[([^\]]*)\]/.exec(afterUser)?.[1] ?? (isAddress6(afterUser) ? afterUser : afterUser.replace(/:.*$/s, ""));
  return host === "" || /\s/.test(host) ? undefined : host.toLowerCase();
};

const isAddress6 = (text: string): boolean => text.split(":").length > 2 && /^[0-9A-Fa-f:.%\w]+$/.test(text);
