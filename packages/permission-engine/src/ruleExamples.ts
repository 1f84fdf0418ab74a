import type { ConfiguredRule } from "./ConfiguredRule.ts";
import { decideCommand } from "./decideCommand.ts";
import { resolvePath } from "./PathKey.ts";
import { fitsSubject, parseRule, type RuleSubject, type ToolRule } from "./ToolRule.ts";

/** The list a rule stands in: it says what to match means. */
export type RuleList = "allow" | "deny" | "ask";

// Where the examples are thought to be; rules name nothing of it.
const place = { cwd: "/workspace", home: "/home/user" } as const;

/**
 * The first example of a rule that is not as it says, as a sentence; undefined when all are. To match means that the
 * rule, alone, decides: it allows, denies or asks about the command or call. Examples of `name(glob)` are written
 * `name(subject)`, those of `read:glob` as `read:path`, those of `tool:name` as a tool's name; all others are commands.
 *
 * @example
 * ```ts
 * exampleProblem({ rule: "npm run *", match: ["npm run build"], notMatch: ["npm publish"] }, "allow") // => undefined
 * ```
 */
export const exampleProblem = (configured: ConfiguredRule, list: RuleList): string | undefined => {
  if (typeof configured === "string") return undefined;
  const { rule: source, match = [], notMatch = [] } = configured;
  const rule = parseRule(source);
  const missed = match.find((example) => !matches(rule, example, list));
  if (missed !== undefined)
    return `the rule ${JSON.stringify(source)} does not match its example ${JSON.stringify(missed)}`;
  const caught = notMatch.find((example) => matches(rule, example, list));
  return caught === undefined
    ? undefined
    : `the rule ${JSON.stringify(source)} matches ${JSON.stringify(caught)}, which its examples say it must not`;
};

const matches = (rule: ToolRule, example: string, list: RuleList): boolean => {
  switch (rule.type) {
    case "command":
      return decidesCommand(rule.source, example, list);
    case "effect": {
      const [, kind, text] = /^(read|write|connect):(.*)$/s.exec(example) ?? [undefined, rule.kind, example];
      if (kind !== rule.kind || text === undefined) return false;
      const subject: RuleSubject =
        rule.kind === "connect"
          ? { kind: "host", mode: "write", text }
          : { kind: "file", mode: rule.kind, text: resolvePath(place.cwd, text) };
      return fitsSubject(rule, subject, place, strictness(list));
    }
    case "tool": {
      const called = parseRule(example);
      const [name, text] = called.type === "tool" ? [called.name.source, called.pattern] : [example, undefined];
      if (!rule.name.matches(name)) return called.type !== "tool" && decidesInner(rule.pattern, example, list);
      if (rule.pattern === undefined) return true;
      if (text === undefined) return false;
      // What looks like a path is one, not a program.
      const isPath = text.includes("/") && !/\s/.test(text);
      return fitsAny(rule, text, list) || (!isPath && decidesInner(rule.pattern, text, list));
    }
  }
};

const decidesInner = (pattern: string | undefined, command: string, list: RuleList): boolean =>
  pattern !== undefined && decidesCommand(pattern, command, list);

const decidesCommand = (rule: string, command: string, list: RuleList): boolean => {
  const lists = { allow: list === "allow" ? [rule] : ["*"], deny: list === "deny" ? [rule] : [] };
  const { verdict, layer } = decideCommand(command, { ...place, ...lists, ask: list === "ask" ? [rule] : [] });
  if (list === "allow") return verdict === "allow" && layer !== "safe-list";
  return list === "deny" ? verdict === "deny" && layer === "deny-rule" : layer === "ask-rule";
};

const fitsAny = (rule: ToolRule & { readonly type: "tool" }, text: string, list: RuleList): boolean =>
  [
    { kind: "file" as const, mode: "write" as const, text: resolvePath(place.cwd, text) },
    { kind: "host" as const, mode: "write" as const, text },
    ...(text.startsWith("{") ? [{ kind: "input" as const, mode: "write" as const, text }] : []),
  ].some((subject) => fitsSubject(rule, subject, place, strictness(list)));

const strictness = (list: RuleList): "strict" | "any-spelling" => (list === "allow" ? "strict" : "any-spelling");
