import type { Risk } from "@kumiko/plugin-api";
import { type Change, type CommandEntry, type Role, roles } from "./CommandEntry.ts";

/** How an option takes its value: none, the next word or attached, two words, or two of which the first counts, attached only, words up to `;`, the rest. */
type Takes = "none" | "value" | "two" | "first" | "attached" | "command" | "rest";

/** An option, ready for use. */
export interface KnownOption {
  readonly name: string;
  readonly takes: Takes;
  readonly use?: Role | Exclude<Risk, "read">;
  readonly change?: Change & { readonly order: number };
}

/** The roles of operands, ready for use. */
export interface OperandRoles {
  readonly first: ReadonlyArray<Role>;
  readonly many: Role | undefined;
  readonly last: ReadonlyArray<Role>;
}

/** An entry, ready for use. */
export interface KnownCommand {
  readonly entry: CommandEntry;
  readonly options: ReadonlyMap<string, KnownOption>;
  readonly takesAnyFlag: boolean;
  readonly recursive: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

const compiled = new WeakMap<CommandEntry, KnownCommand>();

/** Compiles an entry, once. */
export const compileEntry = (entry: CommandEntry): KnownCommand => {
  const found = compiled.get(entry);
  if (found !== undefined) return found;
  const options = new Map<string, KnownOption>();
  const add = (list: string, more: Partial<KnownOption>): void => {
    for (const written of listed(list)) {
      const option = readOption(written);
      const before = options.get(option.name);
      options.set(option.name, { ...before, ...option, takes: worseTakes(before?.takes, option.takes), ...more });
    }
  };
  const flags = entry.flags ?? "";
  add(flags.replace(/(?:^| )\*$/, ""), {});
  for (const [list, use] of Object.entries(entry.options ?? {})) add(list, { use });
  for (const [order, [list, change]] of Object.entries(entry.when ?? {}).entries())
    add(list, { change: { ...change, order } });
  const made = {
    entry,
    options,
    takesAnyFlag: /(?:^| )\*$/.test(flags),
    recursive: new Set(listed(entry.recursive ?? "")),
    folders: new Set(listed(entry.folder ?? "")),
  };
  for (const name of made.recursive) if (name !== "always" && !options.has(name)) add(name, {});
  compiled.set(entry, made);
  return made;
};

const listed = (list: string): ReadonlyArray<string> => list.split(" ").filter((word) => word !== "");

const worseTakes = (before: Takes | undefined, after: Takes): Takes =>
  before === undefined || before === "none" ? after : after === "none" ? before : after;

const forms: ReadonlyArray<readonly [ending: string, takes: Takes]> = [
  ["[=]", "attached"],
  ["[;]", "command"],
  ["[*]", "rest"],
  ["=:", "first"],
  ["==", "two"],
  ["=", "value"],
];

const readOption = (written: string): KnownOption => {
  const form = forms.find(([ending]) => written.endsWith(ending));
  return form === undefined
    ? { name: written, takes: "none" }
    : { name: written.slice(0, -form[0].length), takes: form[1] };
};

const roleLists = new Map<string, OperandRoles>();

/** Reads a list of roles, once for each. */
export const operandRoles = (list: string): OperandRoles => {
  const found = roleLists.get(list);
  if (found !== undefined) return found;
  const first: Array<Role> = [];
  const last: Array<Role> = [];
  let many: Role | undefined;
  for (const word of listed(list)) {
    const role = roleOf(word.replace("*", ""));
    if (word.endsWith("*")) many = role;
    else (many === undefined ? first : last).push(role);
  }
  const made = { first, many, last };
  roleLists.set(list, made);
  return made;
};

const roleOf = (word: string): Role => roles.find((role) => role === word) ?? "unknown";
