import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Audit, type AuditRecord, definePlugin, type Json } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { redact, truncateTexts } from "./redact.ts";

/** Workload: a command or a path is well below; file contents are not what the log is for. Symptom: a cut text that says so. */
const maxTextCharacters = 2_000;

/**
 * Writes every proposed call to a file, one JSON object a line: what was asked, which layer decided and why, what became
 * of it. Secrets are hidden first, then long texts are cut, so that no half of a secret is left. Lines are appended
 * whole; the file is the user's alone (mode 0600). A log that cannot be written is reported as `plugin.failed`.
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
  config: Schema.Struct({ file: Schema.NonEmptyString }),
  contributes: ({ file }) => {
    const path = resolve(file);
    return [Audit.add((record) => Effect.promise(() => append(path, record)))];
  },
});

const append = async (path: string, { input, ...record }: AuditRecord): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Without O_NONBLOCK a named pipe would be waited for.
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
  const handle = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`the audit log ${path} is no regular file`);
    const { decision, ...rest } = record;
    const line: Json = {
      ...rest,
      input: truncateTexts(redact(input), maxTextCharacters),
      ...(decision === undefined ? {} : { decision: truncateTexts(redact(decision), maxTextCharacters) }),
    };
    await handle.write(`${JSON.stringify(line)}\n`);
  } finally {
    await handle.close();
  }
};
