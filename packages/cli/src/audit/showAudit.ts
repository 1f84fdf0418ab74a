import { join, resolve } from "node:path";
import type { AuditRecord, Verdict } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { workingFolder } from "../checkFolders.ts";
import { readConfig } from "../config/readConfig.ts";
import { durationMillis } from "../duration.ts";
import { messageOf } from "../messageOf.ts";
import { Output } from "../Output.ts";
import { jsonLine, oneLine } from "../printable.ts";
import { stateFolder } from "../stateFolder.ts";
import { widthOf } from "../terminal.ts";
import { type AuditFilter, isWanted } from "./AuditFilter.ts";
import { auditRow } from "./auditRow.ts";
import { followAudit, readAudit, readLine } from "./readAudit.ts";

export interface AuditLine {
  readonly session: string | undefined;
  readonly tool: ReadonlyArray<string>;
  readonly verdict: Verdict | undefined;
  readonly since: string | undefined;
  readonly limit: number;
  readonly follow: boolean;
  readonly auditLog: string | undefined;
  readonly json: boolean;
}

/** `kumiko audit`. */
export const showAudit = Effect.fnUntraced(function* (line: AuditLine): Effect.fn.Return<void, BadInput> {
  if (line.limit < 0) return yield* bad(`--limit is ${line.limit}; it must be 0 or more`);
  const { values } = yield* readConfig(yield* workingFolder("."));
  const file = resolve(line.auditLog ?? values.auditLog ?? join(stateFolder(), "audit.jsonl"));
  const filter: AuditFilter = {
    session: line.session,
    tools: line.tool,
    verdict: line.verdict,
    since: yield* beginning(line.since),
  };
  yield* Effect.tryPromise({
    try: () => show(file, filter, line),
    catch: (error) => new BadInput({ detail: messageOf(error) }),
  });
});

const show = async (file: string, filter: AuditFilter, { follow, json, limit }: AuditLine): Promise<void> => {
  const output = new Output(process.stdout);
  const width = widthOf(process.stdout);
  const print = (record: AuditRecord): Promise<void> =>
    output.push(`${json ? jsonLine(record) : auditRow(record, width)}\n`);
  const wanted = (record: AuditRecord): boolean => isWanted(record, filter);
  const { damaged, end, records } = await readAudit(file, wanted, limit === 0 ? Number.POSITIVE_INFINITY : limit);
  for (const record of records) await print(record);
  if (damaged > 0)
    process.stderr.write(`kumiko: ${damaged} line${damaged === 1 ? "" : "s"} of the log can not be read\n`);
  if (records.length === 0 && !follow)
    process.stderr.write(`Nothing like that is written down in ${oneLine(file, 300)}.\n`);
  if (!follow) return output.flush();
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  void output.closed.then(stop);
  for await (const text of followAudit(file, end, controller.signal)) {
    const record = readLine(text);
    if (record !== undefined && wanted(record)) await print(record);
  }
  process.off("SIGINT", stop);
  process.off("SIGTERM", stop);
};

const beginning = (since: string | undefined): Effect.Effect<number, BadInput> => {
  if (since === undefined) return Effect.succeed(0);
  const ago = durationMillis(since);
  // A day alone begins at midnight here, not in Greenwich.
  const time =
    ago === undefined ? Date.parse(/^\d{4}-\d\d-\d\d$/.test(since) ? `${since}T00:00` : since) : Date.now() - ago;
  return Number.isNaN(time)
    ? bad(`--since is ${JSON.stringify(oneLine(since, 40))}; write a day such as 2026-11-30, or 2h, 1d`)
    : Effect.succeed(time);
};

const bad = (detail: string): Effect.Effect<never, BadInput> => Effect.fail(new BadInput({ detail }));
