import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PermissionGate } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decideCommand, decideHost, permissionEngine } from "../src/index.ts";
import { differences } from "./cases/shan-differences.ts";
import { policyOf } from "./support.ts";

const Verdict = Schema.Literals(["allow", "ask", "deny"]);
const common = { id: Schema.String, note: Schema.String };
const rules = { allowed_commands: Schema.Array(Schema.String), denied_commands: Schema.Array(Schema.String) };
const Case = Schema.Union([
  Schema.Struct({
    ...common,
    area: Schema.Literal("permission.bash"),
    input: Schema.Struct({ command: Schema.String, ...rules }),
    // Two versions of the other engine may differ.
    expected: Schema.Union([Verdict, Schema.Struct({ mar: Verdict, aug: Verdict })]),
  }),
  Schema.Struct({
    ...common,
    area: Schema.Literal("tool.bash_safe"),
    input: Schema.Struct({ command: Schema.String }),
    expected: Schema.Boolean,
  }),
  Schema.Struct({
    ...common,
    area: Schema.Literal("permission.path"),
    input: Schema.Struct({
      path: Schema.String,
      action: Schema.Literals(["read", "write"]),
      allowed_dirs: Schema.Array(Schema.String),
    }),
    expected: Verdict,
  }),
  Schema.Struct({
    ...common,
    area: Schema.Literal("permission.network"),
    input: Schema.Struct({ url: Schema.String, network_allowlist: Schema.Array(Schema.String) }),
    expected: Verdict,
  }),
  Schema.Struct({
    ...common,
    area: Schema.Literal("permission.toolcall"),
    input: Schema.Struct({ tool: Schema.String, args: Schema.String }),
    expected: Verdict,
  }),
]);
type Case = typeof Case.Type;

const file: unknown = JSON.parse(readFileSync(new URL("cases/shan-permission-cases.json", import.meta.url), "utf8"));
const cases = Schema.decodeUnknownSync(Schema.Array(Case))(file);

let project = "";
beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), "shan-cases-")));
  mkdirSync(join(project, ".ssh"));
  for (const name of ["id_rsa", "id_rsa.pub", ".env.local", ".ssh/config"]) writeFileSync(join(project, name), "x");
  symlinkSync(join(project, "id_rsa"), join(project, "notes.txt"));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const decideFile = async (path: string, mode: "read" | "write"): Promise<string> => {
  const { layer } = permissionEngine({ home: "/home/u" });
  if (layer === undefined) throw new Error("the engine has no layer");
  const key = `file:${path === "" ? "" : resolve(project, path)}`;
  const risk = mode === "read" ? ("read" as const) : ("local-write" as const);
  const call = { id: "1", name: "file", input: {}, risk, resources: [{ key, mode }], cwd: project };
  const decision = Effect.flatMap(PermissionGate, (gate) => gate.decide(call));
  return (await Effect.runPromise(Effect.provide(decision, layer))).verdict;
};

const Arguments = Schema.Struct({
  command: Schema.optionalKey(Schema.String),
  path: Schema.optionalKey(Schema.String),
  url: Schema.optionalKey(Schema.String),
});
const argumentsOf = (text: string): typeof Arguments.Type =>
  text.startsWith("{") ? Schema.decodeUnknownSync(Schema.fromJsonString(Arguments))(text) : {};

const decide = async (item: Case): Promise<string> => {
  switch (item.area) {
    case "permission.bash": {
      const { command, allowed_commands: allow, denied_commands: deny } = item.input;
      return decideCommand(command, policyOf({ allow, deny })).verdict;
    }
    case "tool.bash_safe":
      return decideCommand(item.input.command, policyOf()).verdict;
    case "permission.path":
      return decideFile(
        item.input.path.replace("<allowed>", project).replace("notes.txt -> id_rsa", "notes.txt"),
        item.input.action,
      );
    case "permission.network":
      return decideHost({ host: item.input.url, mode: "read" }, { allow: item.input.network_allowlist }).verdict;
    case "permission.toolcall": {
      const { command = "", path = "", url = "" } = argumentsOf(item.input.args);
      if (item.input.tool === "bash") return decideCommand(command, policyOf()).verdict;
      if (item.input.tool === "http") return decideHost({ host: url, mode: "read" }, { allow: [] }).verdict;
      return decideFile(path, item.input.tool === "file_read" ? "read" : "write");
    }
  }
};

const expectedOf = ({ expected }: Case): ReadonlyArray<string> => {
  if (typeof expected === "boolean") return expected ? ["allow"] : ["ask", "deny", "hard-block"];
  return typeof expected === "string" ? [expected] : [expected.mar, expected.aug];
};

const strictness = ["allow", "ask", "deny", "hard-block"];
const isAsExpected = (verdict: string, expected: ReadonlyArray<string>): boolean =>
  expected.includes(verdict) || (verdict === "hard-block" && expected.includes("deny"));

const textOf = (item: Case): string => {
  switch (item.area) {
    case "permission.bash":
    case "tool.bash_safe":
      return item.input.command;
    case "permission.path":
      return `${item.input.action} ${item.input.path}`;
    case "permission.network":
      return item.input.url;
    case "permission.toolcall":
      return `${item.input.tool} ${item.input.args}`;
  }
};

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => (row[at] ?? "").length)));
  const line = (cells: ReadonlyArray<string>): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
};
const code = (text: string): string => {
  const shown = text.replaceAll("\n", String.raw`\n`).replaceAll("|", String.raw`\|`);
  return shown.includes("`") ? `\`\` ${shown} \`\`` : `\`${shown}\``;
};

describe("the permission cases recorded from shan", () => {
  it("get the verdict expected there, or are listed as a difference", async () => {
    const wrong: Array<string> = [];
    for (const item of cases) {
      const verdict = await decide(item);
      const listed = differences[item.id];
      const is = isAsExpected(verdict, expectedOf(item));
      if (listed === undefined ? !is : is || listed.ours !== verdict)
        wrong.push(`${item.id} ${textOf(item)}: ${verdict}`);
    }
    expect(wrong).toEqual([]);
    expect(cases.length).toBe(146);
  });

  it("differ as the table says, and no difference lacks its case", () => {
    for (const [id, { ours, is }] of Object.entries(differences)) {
      const item = cases.find((each) => each.id === id);
      const there = Math.max(
        ...(item === undefined ? [] : expectedOf(item)).map((verdict) => strictness.indexOf(verdict)),
      );
      expect([id, strictness.indexOf(ours) > there ? "stricter" : "looser"]).toEqual([id, is]);
    }
  });

  it("are told apart in DIFFERENCES.md", async () => {
    const rows = Object.entries(differences).map(([id, { ours, is, why }]) => {
      const item = cases.find((each) => each.id === id);
      return [
        id,
        item === undefined ? "" : code(textOf(item)),
        item === undefined ? "" : expectedOf(item).join(" or "),
        ours,
        is,
        why,
      ];
    });
    const followed: Array<string> = [];
    for (const item of cases)
      if (item.area === "permission.bash" && item.input.allowed_commands.length > 0)
        if (new Set(expectedOf(item)).size > 1 && (await decide(item)) === "allow") followed.push(code(textOf(item)));
    const text = [
      "# Decided otherwise than in shan",
      "",
      `Of ${cases.length} recorded cases, ${cases.length - rows.length} get the verdict expected there. The others, with the reason:`,
      "",
      table(["case", "about", "there", "here", "ours is", "why"], rows),
      "",
      "Where two versions there differ, either verdict counts as expected. In these cases a rule of the user speaks, and it is",
      "followed here: what a rule allows is not asked about again. To be asked all the same, add an `ask` rule such as",
      "`git push *--force*`.",
      "",
      ...followed.map((each) => `- ${each}`),
      "",
      "This file is made by `test/shanCases.test.ts` from `test/cases/shan-differences.ts`; `npx vitest run -u` writes it.",
      "",
    ].join("\n");
    await expect(text).toMatchFileSnapshot("../DIFFERENCES.md");
  });
});
