import { describe, expect, it } from "vitest";
import { checkedProxy, proxyFor } from "../src/proxyFor.ts";

const proxy = "http://proxy.example:3128";
const url = "https://api.example.com/v1";

describe("proxyFor", () => {
  it.each([
    [url, { HTTPS_PROXY: proxy }],
    [url, { https_proxy: proxy, HTTPS_PROXY: "http://other.example" }],
    [url, { ALL_PROXY: proxy }],
    [url, { HTTPS_PROXY: "proxy.example:3128" }],
    ["http://api.example.com/v1", { HTTP_PROXY: proxy }],
    [url, { HTTPS_PROXY: proxy, NO_PROXY: "example.org, api.example.com:8443,.other.com" }],
    [url, { HTTPS_PROXY: proxy, NO_PROXY: "ample.com" }],
  ])("gives the proxy for %s with %o", (target, env) => {
    expect(proxyFor(target, env)).toBe(proxy);
  });

  it.each([
    [url, {}],
    [url, { HTTP_PROXY: proxy }],
    [url, { HTTPS_PROXY: "  " }],
    [url, { HTTPS_PROXY: proxy, NO_PROXY: "*" }],
    [url, { HTTPS_PROXY: proxy, no_proxy: "example.com" }],
    [url, { HTTPS_PROXY: proxy, NO_PROXY: "a.b, .EXAMPLE.com" }],
    [url, { HTTPS_PROXY: proxy, NO_PROXY: "api.example.com:443" }],
    ["http://127.0.0.1:1/v1", { HTTP_PROXY: proxy }],
    ["http://localhost:1/v1", { HTTP_PROXY: proxy }],
    ["http://[::1]:1/v1", { HTTP_PROXY: proxy }],
    ["http://box.localhost/v1", { HTTP_PROXY: proxy }],
    ["no url", { HTTP_PROXY: proxy }],
  ])("gives none for %s with %o", (target, env) => {
    expect(proxyFor(target, env)).toBeUndefined();
  });

  it("refuses a proxy that cannot be used, without repeating it", () => {
    for (const wrong of ["socks5://u:hidden@proxy.example", "http://u:hidden@", "::"]) {
      expect(() => checkedProxy(wrong)).toThrow("the model's proxy does not fit");
      expect(() => checkedProxy(wrong)).not.toThrow("hidden");
    }
  });
});
