import type { ConfiguredRule, PermissionMode } from "@kumiko/permission-engine";
import type { ConfigFile } from "./ConfigFile.ts";

/** Where a value comes from, the weakest first. */
export type LayerName = "default" | "user" | "project" | "local" | "environment" | "flag";

/** One place that values come from. */
export interface Source {
  readonly layer: LayerName;
  /** The file, the variable or the flag. */
  readonly name?: string;
  /** The part of the user's file that is about this folder. */
  readonly folder?: string;
}

/** Settings that have one value. */
export interface SingleValues {
  readonly model: string;
  readonly mode: PermissionMode;
  readonly maxTurns: number;
  readonly unattended: "deny" | "suspend" | "wait";
  readonly questionTimeout: string;
  readonly auditLog: string;
  readonly plain: boolean;
}

/** Settings that are lists: all layers add to them. */
export interface ListValues {
  readonly allow: ReadonlyArray<ConfiguredRule>;
  readonly ask: ReadonlyArray<ConfiguredRule>;
  readonly deny: ReadonlyArray<ConfiguredRule>;
  readonly workspaceRoots: ReadonlyArray<string>;
  readonly hosts: ReadonlyArray<string>;
}

export const singleKeys = [
  "model",
  "mode",
  "maxTurns",
  "unattended",
  "questionTimeout",
  "auditLog",
  "plain",
] as const satisfies ReadonlyArray<keyof SingleValues>;

/** Lists by the name they have in a file. */
export const listKeys = {
  "permissions.deny": "deny",
  "permissions.ask": "ask",
  "permissions.allow": "allow",
  "permissions.workspaceRoots": "workspaceRoots",
  "permissions.network.allow": "hosts",
} as const satisfies Readonly<Record<string, keyof ListValues>>;

/** What one layer says. */
export interface ConfigLayer {
  readonly source: Source;
  readonly values: Partial<SingleValues> & Partial<ListValues>;
}

/** A value that was not taken, and why. */
export interface Ignored {
  readonly source: Source;
  readonly key: string;
  readonly why: string;
}

/** An item of a list, with where it comes from. */
export interface Listed {
  readonly key: keyof ListValues;
  readonly item: ConfiguredRule;
  readonly source: Source;
}

/** All layers, merged. */
export interface Config {
  readonly values: Partial<SingleValues> & ListValues;
  readonly sources: Readonly<Partial<Record<keyof SingleValues, Source>>>;
  readonly listed: ReadonlyArray<Listed>;
  readonly ignored: ReadonlyArray<Ignored>;
}

/** The layers of a file: what it says in general, then what it says of a folder, the more exact the later. */
export const layersOf = (
  file: ConfigFile,
  source: Source,
  place: { readonly cwd: string; readonly home: string },
): ReadonlyArray<ConfigLayer> => {
  const { folders = {}, permissions, ...single } = file;
  const about = Object.entries(folders)
    .map(([name, settings]) => ({ name, path: absolute(name, place.home), settings }))
    .filter(({ path }) => isWithin(place.cwd, path))
    .toSorted((a, b) => a.path.length - b.path.length);
  return [
    { source, values: { ...single, ...listsOf(permissions) } },
    ...about.map(({ name, settings: { permissions: rules, ...values } }) => ({
      source: { ...source, folder: name },
      values: { ...values, ...listsOf(rules) },
    })),
  ];
};

const listsOf = ({ network, ...lists }: NonNullable<ConfigFile["permissions"]> = {}): Partial<ListValues> => ({
  ...lists,
  ...(network?.allow === undefined ? {} : { hosts: network.allow }),
});

const absolute = (folder: string, home: string): string => {
  const path = folder === "~" || folder.startsWith("~/") ? `${home}${folder.slice(1)}` : folder;
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
};

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
