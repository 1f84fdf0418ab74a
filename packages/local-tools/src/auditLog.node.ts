import { constants } from "node:fs";
import { open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, parse, resolve } from "node:path";
import { Audit, type AuditRecord, definePlugin, type Json } from "@kumiko/plugin-api";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { errorCode } from "./fileFailure.ts";
import { redact, truncateTexts } from "./redact.ts";
import { makeFolder } from "./makeFolder.node.ts";

/** Workload: a command or a path is well below; file contents are not what the log is for. Symptom: a cut text that says so. */
const maxTextCharacters = 2_000;

/** Some ten thousand calls. Symptom: the log goes on in a new file. */
const defaultFileBytes = 10 * 1024 * 1024;
/** Symptom: the oldest file is gone. */
const defaultFiles = 10;

/**
 * Writes every proposed call to a file, one JSON object a line: what was asked, which layer decided and why, what became
 * of it. Secrets are hidden first, then long texts are cut, so that no half of a secret is left. Lines are appended
 * whole, from any number of processes; the file is the user's alone (mode 0600). A log that cannot be written is reported
 * as `plugin.failed`.
 *
 * A file that has grown beyond `maxFileBytes` (10 MB) is set aside under its name with the time, such as
 * `audit-20261201T052300123Z-4711.jsonl`; of those that were set aside the latest `maxFiles` (10) are kept.
 * `auditFiles` lists them.
 *
 * @example
 * ```ts
 * const plugins = [auditLog({ file: "audit.jsonl" })]
 * ```
 */
export const auditLog = definePlugin({
  name: "audit-log",
  version: "0.1.0",
  api: 1,
  config: Schema.Struct({
    file: Schema.NonEmptyString,
    maxFileBytes: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1_024))),
    maxFiles: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  }),
  contributes: ({ file, maxFileBytes = defaultFileBytes, maxFiles = defaultFiles }) => {
    const path = resolve(file);
    return [
      Audit.add((record) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.promise(() => append(path, record, { now, maxFileBytes, maxFiles })),
        ),
      ),
    ];
  },
});

interface Bounds {
  readonly now: number;
  readonly maxFileBytes: number;
  readonly maxFiles: number;
}

const append = async (path: string, { input, ...record }: AuditRecord, bounds: Bounds): Promise<void> => {
  makeFolder(dirname(path), 0o700);
  // Without O_NONBLOCK a named pipe would be waited for.
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
  const handle = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  let size = 0;
  try {
    const before = await handle.stat();
    if (!before.isFile()) throw new Error(`the audit log ${path} is no regular file`);
    const { decision, ...rest } = record;
    const line: Json = {
      ...rest,
      input: truncateTexts(redact(input), maxTextCharacters),
      ...(decision === undefined ? {} : { decision: truncateTexts(redact(decision), maxTextCharacters) }),
    };
    const text = `${JSON.stringify(line)}\n`;
    await handle.write(text);
    size = before.size + Buffer.byteLength(text);
  } finally {
    await handle.close();
  }
  if (size >= bounds.maxFileBytes) await setAside(path, bounds);
};

// Another process may set the file aside at the same moment: then this moves the new one, short as it is, under a name
// of its own. Nothing is lost either way, and who has the file open still appends to it.
const setAside = async (path: string, { maxFiles, now }: Bounds): Promise<void> => {
  const stamp = new Date(now).toISOString().replaceAll(/[-:.]/g, "");
  const { dir, ext, name } = parse(path);
  try {
    await rename(path, join(dir, `${name}-${stamp}-${process.pid}${ext}`));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  const aside = (await auditFiles(path)).slice(0, -1);
  for (const old of aside.slice(0, Math.max(aside.length - maxFiles, 0))) await rm(old, { force: true });
};

/** The files of an audit log that there may be, the oldest first, the one that is written to last. */
export const auditFiles = async (file: string): Promise<ReadonlyArray<string>> => {
  const path = resolve(file);
  const { dir, ext, name } = parse(path);
  const isAside = (other: string): boolean =>
    other.startsWith(`${name}-`) &&
    other.endsWith(ext) &&
    /^\d{8}T\d{9}Z-\d+$/.test(other.slice(name.length + 1, other.length - ext.length));
  try {
    const names = await readdir(dir);
    return [
      ...names
        .filter(isAside)
        .toSorted()
        .map((other) => join(dir, other)),
      path,
    ];
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [path];
    throw error;
  }
};
