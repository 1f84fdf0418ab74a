import { describe, expect, it } from "vitest";
import { decidePath, type PermissionMode } from "../src/index.ts";
import { place } from "./support.ts";

const judge = (path: string, mode: "read" | "write", permissionMode: PermissionMode = "ask") =>
  decidePath({ path, mode }, { ...place, workspaceRoots: ["/data"], mode: permissionMode });
const verdicts = (mode: "read" | "write", paths: ReadonlyArray<string>, permissionMode?: PermissionMode) =>
  paths.map((path) => judge(path, mode, permissionMode).verdict);

describe("files", () => {
  it("inside the workspace are read, and written after asking", () => {
    expect(verdicts("read", ["/srv/project/a.txt", "/srv/project", "/data/x"])).toEqual(["allow", "allow", "allow"]);
    expect(verdicts("write", ["/srv/project/a.txt"])).toEqual(["ask"]);
    expect(verdicts("write", ["/srv/project/a.txt"], "accept-edits")).toEqual(["allow"]);
    expect(verdicts("write", ["/srv/project/a.txt"], "auto")).toEqual(["allow"]);
    expect(verdicts("write", ["/srv/project/a.txt"], "plan")).toEqual(["deny"]);
  });

  it("outside of it ask", () => {
    const outside = ["/srv/project-evil/x", "/srv/project/../x", "/etc/hosts", "/"];
    expect(new Set(verdicts("read", outside))).toEqual(new Set(["ask"]));
    expect(new Set(verdicts("write", outside, "accept-edits"))).toEqual(new Set(["ask"]));
  });

  it("are never inside a workspace that is the root folder", () => {
    for (const cwd of ["/", "//", "/a/.."])
      for (const mode of ["read", "write"] as const)
        expect(decidePath({ path: "/tmp/x", mode }, { cwd, home: "/home/u", mode: "accept-edits" }).verdict).toBe(
          "ask",
        );
  });

  it("that are sensitive ask in any spelling", () => {
    const sensitive = [
      ".env",
      ".env.local",
      ".ENV",
      "．env",
      ".e\u200Bnv",
      "sub/id_rsa",
      "ID_RSA.pub",
      "ｉｄ_rsa",
      "Credentials.json",
      "my-credentials.txt",
      "server.PEM",
      ".ssh/anything",
      ".aws/config",
      "x.keychain-db",
      ".netrc",
    ].map((path) => `/srv/project/${path}`);
    expect(sensitive.filter((path) => judge(path, "read").verdict !== "ask")).toEqual([]);
    expect(judge("/srv/project/.ENV", "read")).toMatchObject({ layer: "workspace", rule: ".env" });
  });

  it("that only resemble them do not", () => {
    const plain = [".env.example", "x.env", "environment", "my.secret", "pem", "ssh/config", "monkey.ts"];
    expect(plain.filter((path) => judge(`/srv/project/${path}`, "read").verdict !== "allow")).toEqual([]);
  });

  it("that run later are never written unasked, though they may be read", () => {
    const later = [".git/hooks/pre-commit", ".GIT/Hooks/x", ".git/config", ".bashrc", ".zshrc", ".husky/x"].map(
      (path) => `/srv/project/${path}`,
    );
    expect(later.filter((path) => judge(path, "write", "accept-edits").verdict !== "ask")).toEqual([]);
    expect(later.filter((path) => judge(path, "read").verdict !== "allow")).toEqual([]);
  });

  it("of the harness's own configuration and raw devices are never written", () => {
    const paths = [
      "/srv/project/.kumiko/config.yaml",
      "/srv/project/.KUMIKO/hooks/x",
      "/srv/project/sub/.ｋumiko/x",
      "/home/u/.config/kumiko/config.yaml",
      "/srv/project/x/../.kumiko",
      "/dev/sda",
    ];
    for (const mode of ["plan", "ask", "accept-edits", "auto"] as const)
      expect(new Set(verdicts("write", paths, mode))).toEqual(new Set(["hard-block"]));
    expect(judge("/srv/project/.kumiko/config.yaml", "read").verdict).toBe("allow");
  });

  it("named from the working folder are judged where they lie", () => {
    expect(verdicts("read", ["a.txt", "./src/a.txt", "../project/a.txt"])).toEqual(["allow", "allow", "allow"]);
    expect(verdicts("read", ["../other/a.txt", "a/../../x", ".env", "sub/../.env"])).toEqual([
      "ask",
      "ask",
      "ask",
      "ask",
    ]);
    expect(verdicts("write", ["a.txt"], "accept-edits")).toEqual(["allow"]);
    expect(verdicts("write", [".kumiko/x", "a/../.kumiko/x"], "auto")).toEqual(["hard-block", "hard-block"]);
    expect(judge("a.txt", "read").resources).toEqual([{ key: "file:/srv/project/a.txt", mode: "read" }]);
  });

  it("whose place is not certain are not judged", () => {
    expect(verdicts("read", ["", "~/a", "/a\0b"])).toEqual(["deny", "ask", "ask"]);
    expect(verdicts("read", ["~/a", "a\0b"], "auto")).toEqual(["deny", "deny"]);
    expect(decidePath({ path: "a.txt", mode: "read" }, { cwd: "sub", home: "/home/u" }).verdict).toBe("ask");
  });

  it("behind the links of /proc are judged where those lead", () => {
    expect(verdicts("read", ["/proc/self/cwd/a.txt", "/proc/self/root/srv/project/a.txt"])).toEqual(["allow", "allow"]);
    expect(verdicts("read", ["/proc/self/root/etc/passwd", "/proc/1/cwd/a.txt"])).toEqual(["ask", "ask"]);
    expect(verdicts("write", ["/proc/self/root/dev/sda", "/proc/7/task/7/root/dev/sda"], "auto")).toEqual([
      "hard-block",
      "hard-block",
    ]);
  });
});
