import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact, truncateTexts } from "../src/redact.ts";

const tail = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6";

describe("redact", () => {
  it.each([
    ["an API key", `export KEY=sk-${tail}`, `sk-${tail}`],
    ["a GitHub token", `git clone https://ghp_${tail}@github.com/a/b`, `ghp_${tail}`],
    ["an AWS key", "id AKIAIOSFODNN7EXAMPLE end", "AKIAIOSFODNN7EXAMPLE"],
    ["a bearer token", "curl -H 'Authorization: Bearer abc.def-123456'", "abc.def-123456"],
    ["a basic header", "Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"],
    ["a password assignment", "PASSWORD=hunter22 run", "hunter22"],
    ["a password flag", "mysql --password=hunter22 -u x", "hunter22"],
    ["a token in a query", "https://x.test/?access_token=abcdef123", "abcdef123"],
    ["a password in a URL", "postgres://u:hunter22@db/x", "hunter22"],
    ["a web token", `x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${tail} y`, tail],
    ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----", "MIIabc"],
    ["half a private key", "-----BEGIN PRIVATE KEY-----\nMIIabc", "MIIabc"],
  ])("hides %s", (_name, text, secret) => {
    const hidden = JSON.stringify(redact({ command: text }));
    expect(hidden).not.toContain(secret);
    expect(hidden).toContain("[redacted]");
  });

  it("hides whatever stands under the name of a secret, however deep", () => {
    const input = {
      a: [{ apiKey: "x1", API_KEY: "x2", "client-secret": "x3", password: 5, Cookie: "x4", token: null }],
    };
    expect(JSON.stringify(redact(input))).not.toMatch(/x1|x2|x3|x4|5/);
  });

  it("leaves ordinary text alone", () => {
    const text = "git commit -m 'explain the token bucket' && npm test -- --grep password-reset tokens.ts";
    expect(redact(text)).toBe(text);
  });

  it("keeps the shape, and never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        const hidden = redact(plain);
        expect(Array.isArray(hidden)).toBe(Array.isArray(plain));
        if (typeof plain === "object" && plain !== null) expect(Object.keys(hidden ?? {})).toEqual(Object.keys(plain));
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  it("takes no more than linear time on hostile text", () => {
    const text = `${"password".repeat(20_000)} ${"a".repeat(200_000)}:${"eyJ".repeat(50_000)} ${"x://".repeat(30_000)}`;
    const started = process.cpuUsage();
    redact(text);
    expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
  });
});

describe("hostile texts for the log", () => {
  it.each([
    ["a long scheme", "a.".repeat(120_000)],
    ["a header of blanks", `authorization:${" ".repeat(200_000)}`],
    ["beginnings of web tokens", "eyJaaaaaaaa-".repeat(20_000)],
    ["words that announce a secret", "password ".repeat(50_000)],
  ])("%s takes a moment, not minutes", (_name, text) => {
    const started = process.cpuUsage();
    redact({ text });
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });

  it("half a secret at the end of a text that is too long is not kept", () => {
    const text = `${"x ".repeat(49_990)}${"y".repeat(10)} sk-${tail.repeat(40)}`;
    expect(JSON.stringify(redact(text))).not.toContain("sk-a1B2");
  });
});

describe("truncateTexts", () => {
  it("cuts long texts and says by how much", () => {
    expect(truncateTexts({ a: ["x".repeat(12)], b: "short" }, 10)).toEqual({
      a: [`${"x".repeat(10)}… (2 more characters)`],
      b: "short",
    });
  });
});
