import { PermissionConfig } from "@kumiko/permission-engine";
import * as Schema from "effect/Schema";
import { durationPattern } from "../duration.ts";

const { allow, ask, deny, mode, network, workspaceRoots } = PermissionConfig.fields;

/** What may run: rules as `--allow` takes them, or with examples that are checked when the file is read. */
const Permissions = Schema.Struct({ allow, ask, deny, workspaceRoots, network });

const Text = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(1_000));

const Folder = Schema.Struct({
  model: Schema.optionalKey(Text),
  mode,
  permissions: Schema.optionalKey(Permissions),
});

/** A configuration file as it is written. Every field may be left out. */
export const ConfigFile = Schema.Struct({
  model: Schema.optionalKey(Text.annotate({ description: "provider/name, as --model takes it" })),
  mode: mode.annotate({ description: "How much runs without a question: plan, ask, accept-edits or auto" }),
  maxTurns: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })).annotate({
      description: "Model calls with tools that a run may make",
    }),
  ),
  unattended: Schema.optionalKey(
    Schema.Literals(["deny", "suspend", "wait"]).annotate({
      description: "What becomes of a call that needs a yes where nobody can be asked",
    }),
  ),
  questionTimeout: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(durationPattern)).annotate({
      description: "How long a question waits before it counts as refused: 90s, 15m, 2h, 1d",
    }),
  ),
  auditLog: Schema.optionalKey(Text.annotate({ description: "Where every proposed call is written down" })),
  plain: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "No redrawing, no colours: for screen readers and plain logs" }),
  ),
  permissions: Schema.optionalKey(Permissions),
  folders: Schema.optionalKey(
    Schema.Record(Schema.String, Folder).annotate({
      description: "Settings for runs in a folder and below it. The user's own file only",
    }),
  ),
});
export type ConfigFile = typeof ConfigFile.Type;

/** What may stand at a place in the file. */
export const knownKeys = (path: ReadonlyArray<PropertyKey>): ReadonlyArray<string> => {
  if (path.length === 1) return Object.keys(ConfigFile.fields);
  const inner = path[0] === "folders" ? path.slice(2) : path;
  if (inner.length === 1) return Object.keys(Folder.fields);
  if (inner.length === 2) return Object.keys(Permissions.fields);
  return inner.includes("network") ? ["allow"] : ["rule", "match", "notMatch"];
};
