import { canonicalHost } from "./HostAddress.ts";
import type { RuleList } from "./ruleExamples.ts";

/** What one permission rule of Claude Code comes to here. */
export interface TranslatedRule {
  readonly rules: ReadonlyArray<string>;
  /** How they differ, or why there are none; absent where they say the same. */
  readonly warning?: string;
}

/** Translates one rule for a list. An allowance never becomes broader; a denial or question never narrower. */
export const translateClaudeRule = (source: string, list: RuleList): TranslatedRule => {
  const [, name = "", , inner] = /^([A-Za-z_][\w*-]*)(\(([\s\S]*)\))?$/.exec(source.trim()) ?? [];
  if (name === "") return left("it has no form that is known");
  if (name.startsWith("mcp__")) return mcp(name, inner, list);
  switch (name) {
    case "Bash":
      return bash(inner, list);
    case "Read":
    case "Grep":
    case "Glob":
    case "LS":
      return files("read", inner, list);
    case "Edit":
    case "Write":
    case "MultiEdit":
      return files("write", inner, list);
    case "NotebookEdit":
      return list === "allow" ? left("there it is about notebooks only") : files("write", inner, list);
    case "WebFetch":
      return hosts(inner, list);
    default:
      return left(`there is no tool like ${name} here`);
  }
};

const said = (...rules: ReadonlyArray<string>): TranslatedRule => ({ rules });
const left = (warning: string): TranslatedRule => ({ rules: [], warning });

const bash = (inner: string | undefined, list: RuleList): TranslatedRule => {
  const text = inner?.trim();
  if (text === undefined || text === "" || text === "*" || text === ":*") return said("bash(*)");
  // `x:*` and `x *` take `x` alone and `x` with arguments, but not `xy`.
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(text)?.[1];
  const body = prefix ?? text;
  if (list === "allow" && /[?\\]/.test(body))
    return left("`?` and `\\` mean something else in rules here, so the allowance would be broader");
  if (list === "allow" && /&&|\|\||[;|&\n]/.test(body))
    return left("a compound command is allowed part by part: allow each of its commands");
  const wildcards = body.includes("*") ? "a `*` in the middle takes blanks and slashes, here as there" : undefined;
  const rules =
    prefix === undefined
      ? [list === "allow" ? `bash(${body})` : ofAnyTool(body)]
      : list === "allow"
        ? [`bash(${body})`, `bash(${body} *)`]
        : [ofAnyTool(`${body}*`)];
  if (list !== "allow" && prefix !== undefined)
    return { rules, warning: `it is stricter here: it also takes commands that start with ${JSON.stringify(body)}` };
  return wildcards === undefined || list === "allow" ? { rules } : { rules, warning: wildcards };
};

// A denial of a command is about whatever tool runs it. What reads like a rule of another form keeps its tool.
const ofAnyTool = (glob: string): string =>
  /^(?:read|write|connect|tool):|^[\w*-]+\(/.test(glob) ? `bash(${glob})` : glob;

const files = (kind: "read" | "write", inner: string | undefined, list: RuleList): TranslatedRule => {
  const text = inner?.trim();
  if (text === undefined || text === "" || text === "**" || text === "*")
    return text === "*" && list === "allow"
      ? left("`*` there means the files of one folder; here it would take those below, too")
      : said(`${kind}:*`);
  if (text.startsWith("!")) return left("there are no exceptions inside a rule here");
  if (list === "allow") return allowedFiles(kind, text);
  const rules = denialPatterns(text).map((pattern) => `${kind}:${pattern}`);
  const isStricter = /[*?[]/.test(text.replaceAll("**", ""));
  return isStricter ? { rules, warning: "it is stricter here: a single `*` or `?` takes slashes, too" } : { rules };
};

// All that a pattern may be about: without a slash, files of that name anywhere; a folder with all below it; what starts
// with one slash, both in the workspace and from the root.
const denialPatterns = (text: string): ReadonlyArray<string> => {
  const isRooted = /^\/(?!\/)/.test(text);
  const body = text
    .replace(/^\/\//, "/")
    .replace(/^\.\//, "")
    .replaceAll(/\[[^\]]*\]/g, "?")
    .replace(/\/+$/, "");
  const anywhere = /^\*\*\/(.+)$/s.exec(body)?.[1] ?? (body.includes("/") ? undefined : body);
  const starts = anywhere !== undefined ? [anywhere, `*/${anywhere}`] : isRooted ? [body, body.slice(1)] : [body];
  return starts
    .map((start) => start.replaceAll(/\*\*\/?/g, "*"))
    .flatMap((pattern) =>
      pattern.endsWith("/*")
        ? [pattern, pattern.slice(0, -2)]
        : pattern.endsWith("*")
          ? [pattern]
          : [pattern, `${pattern}/*`],
    );
};

const allowedFiles = (kind: "read" | "write", text: string): TranslatedRule => {
  if (/^\/(?!\/)/.test(text))
    return left("what it starts at depends on the file it stands in: name the folder in full");
  const body = text.startsWith("//") ? text.slice(1) : text.replace(/^\.\//, "");
  const fixed = body.endsWith("/**") ? body.slice(0, -3) : body;
  if (/[*?[\]\\]/.test(fixed))
    return left("a wildcard there stays within a folder; here it would take the folders below, too");
  if (/(?:^|\/)\.\.(?:\/|$)/.test(fixed)) return left("a path that goes up is not allowed by a rule");
  // Without a slash it is about files of that name anywhere: the one in the working folder is enough.
  const rule = `${kind}:${body.endsWith("/**") ? `${fixed}/**` : fixed}`;
  return fixed.includes("/") || body.endsWith("/**")
    ? said(rule)
    : { rules: [rule], warning: "it is stricter here: only the file in the working folder is meant" };
};

const hosts = (inner: string | undefined, list: RuleList): TranslatedRule => {
  const text = inner?.trim();
  if (text === undefined || text === "" || text === "*" || text === "domain:*") return said("connect:*");
  const host = /^domain:(.+)$/s.exec(text)?.[1]?.trim().toLowerCase();
  const bare = host?.replace(/^\*\./, "");
  if (host === undefined || bare === undefined || canonicalHost(bare) === undefined || /[*?]/.test(bare))
    return list === "allow"
      ? left("only domain:<host> is known")
      : { rules: ["connect:*"], warning: "it is stricter here: its hosts are not known, so all are meant" };
  if (host.startsWith("*.")) return said(`connect:*.${bare}`);
  return list === "allow"
    ? said(`connect:${bare}`)
    : {
        rules: [`connect:${bare}`, `connect:*.${bare}`],
        warning: "it is stricter here: hosts below it are meant, too",
      };
};

const mcp = (name: string, inner: string | undefined, list: RuleList): TranslatedRule => {
  if (list === "allow" && name.includes("*") && !/^mcp__[\w-]+?__[\w-]*\*$/.test(name))
    return left("a wildcard for servers would allow more than was named");
  if (inner !== undefined) return left("rules about the input of such a tool are written otherwise here");
  const parts = name.split("__");
  const tool = parts.length === 2 ? `${name}__*` : name;
  return /^[\w*-]{1,64}$/.test(tool) ? said(`tool:${tool}`) : left("no tool can have that name");
};
