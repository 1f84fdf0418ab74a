import { crc32 } from "node:zlib";
import type { JournalRecord } from "@kumiko/runtime-api";
import { DatabaseFailed } from "@kumiko/sqlite";

/** One append as it is stored. */
export interface StoredBatch {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly epoch: number;
  readonly time: number;
  /** CRC-32 of `entries`: what is read is what was written, or the batch counts as damaged. */
  readonly crc: number;
  readonly entries: string;
}

/** The records of an append. Throws `DatabaseFailed` (`corrupt`) where it is not whole. */
export const recordsIn = (path: string, batch: StoredBatch): ReadonlyArray<JournalRecord> => {
  const { crc, entries, epoch, firstSeq, lastSeq, time } = batch;
  if (crc32(entries) !== crc) throw damaged(path, firstSeq, "its checksum is wrong");
  const stored: unknown = JSON.parse(entries);
  if (!Array.isArray(stored) || stored.length !== lastSeq - firstSeq + 1)
    throw damaged(path, firstSeq, "it is not whole");
  return stored.map((entry, index) => {
    const [actor, kind, body] = Array.isArray(entry) ? entry : [];
    return { seq: firstSeq + index, epoch, time, actor: String(actor), kind: kind === 0 ? "event" : "intent", body };
  });
};

const damaged = (path: string, seq: number, detail: string): DatabaseFailed =>
  new DatabaseFailed({ reason: "corrupt", path, detail: `record ${seq} is damaged: ${detail}` });
