import { describe, expect, it } from "vitest";
import { makeSecretRemover, secretsInUrl } from "../src/ModelEndpoint.ts";

const key = "sk-LEAKY-0123456789abcdef";
const withoutSecrets = makeSecretRemover([
  `Bearer ${key}`,
  ...secretsInUrl("https://x.example/v1?api-key=query-secret-42&mode=fast"),
  ...secretsInUrl("http://user7:pass%20word9@proxy.example:3128"),
]);

describe("makeSecretRemover", () => {
  it.each([
    `Received API Key = ${key}`,
    `Bearer ${key}`,
    `Incorrect key ending ${key.slice(-16)}`,
    `Incorrect key ${key.slice(0, 12)}...`,
    `key ${key.slice(0, 9)}\u200b${key.slice(9)}`,
    "no such path /v1?api-key=query-secret-42",
    `upstream Basic ${btoa("user7:pass word9")}`,
    "user pass word9 is wrong",
  ])("takes a secret out, whole and in part: %j", (text) => {
    const clean = withoutSecrets(text);
    expect(clean).toContain("[secret]");
    for (const secret of [key, "query-secret-42", "pass word9", btoa("user7:pass word9")])
      for (let at = 0; at + 10 <= secret.length; at++) expect(clean).not.toContain(secret.slice(at, at + 10));
  });

  it("leaves words alone that stand beside secrets", () => {
    expect(withoutSecrets("the Bearer scheme of the user in mode fast\nis wrong")).toBe(
      "the Bearer scheme of the user in mode fast\nis wrong",
    );
  });
});
