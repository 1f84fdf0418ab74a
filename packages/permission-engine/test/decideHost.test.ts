import { describe, expect, it } from "vitest";
import { decideHost, type PermissionMode } from "../src/index.ts";

const verdict = (host: string, mode?: PermissionMode) =>
  decideHost(
    { host, mode: "write" },
    { allow: ["api.example.com", "*.example.org"], ...(mode === undefined ? {} : { mode }) },
  ).verdict;
const others = (wanted: string, hosts: ReadonlyArray<string>, mode?: PermissionMode) =>
  hosts.filter((host) => verdict(host, mode) !== wanted);

describe("hosts", () => {
  it("of this machine are allowed in any spelling", () =>
    expect(
      others("allow", [
        "localhost",
        "LOCALHOST.",
        "app.localhost",
        "localhost:8080",
        "127.0.0.1",
        "127.0.0.2",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "::1",
        "[::1]:80",
        "0:0:0:0:0:0:0:1",
        "::ffff:127.0.0.1",
        "::ffff:7f00:1",
        "http://user@localhost/",
      ]),
    ).toEqual([]));

  it("of the link are denied in any spelling and mode", () => {
    const links = [
      "169.254.169.254",
      "169.254.0.1:80",
      "2852039166",
      "0xA9FEA9FE",
      "0251.0376.0251.0376",
      "169.254.43518",
      "0xa9.254.0xa9.254",
      "::ffff:169.254.169.254",
      "[::ffff:a9fe:a9fe]",
      "::169.254.169.254",
      "64:ff9b::169.254.169.254",
      "2002:a9fe:a9fe::1",
      "fe80::1",
      "[fe80::1%25eth0]",
      "fd00:ec2::254",
      "metadata.google.internal",
      "METADATA.google.internal.",
      "１６９．２５４．１６９．２５４",
      "169。254。169。254",
      "169.254.169.254.",
      "%31%36%39.254.169.254",
      "100.100.100.200",
      "http://localhost@169.254.169.254/latest",
    ];
    expect(others("deny", links)).toEqual([]);
    expect(others("deny", links, "auto")).toEqual([]);
    expect(decideHost({ host: "169.254.169.254", mode: "read" }, { allow: ["*"] }).verdict).toBe("deny");
  });

  it("on the list are allowed", () =>
    expect(others("allow", ["api.example.com", "API.Example.com:443", "example.org", "a.b.example.org."])).toEqual([]));

  it("not on it ask", () => {
    const unknown = [
      "example.com",
      "api.example.com.evil.test",
      "xexample.org",
      "10.0.0.1",
      "0.0.0.0",
      "http://localhost@evil.test/",
    ];
    expect(others("ask", unknown)).toEqual([]);
    expect(others("allow", unknown, "auto")).toEqual([]);
  });

  it("that are none are never allowed", () => {
    expect(["", " "].map((host) => decideHost({ host, mode: "read" }, { allow: ["*"] }).verdict)).toEqual([
      "deny",
      "deny",
    ]);
    const broken = ["not a host", "1.2.3.4.5", "256.1.1.1.", "::1::2", "a b", "http://"];
    expect(others("ask", broken)).toEqual([]);
    expect(others("deny", broken, "auto")).toEqual([]);
  });

  it("are not written to in plan mode", () => {
    expect(verdict("api.example.com", "plan")).toBe("deny");
    expect(decideHost({ host: "api.example.com", mode: "read" }, { allow: ["*"], mode: "plan" }).verdict).toBe("allow");
  });
});
