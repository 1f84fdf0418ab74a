import type { AuditRecord } from "@kumiko/plugin-api";
import { oneLine } from "../printable.ts";
import { inputLine, when } from "../sessions/words.ts";
import { durationWords } from "../usage/usageWords.ts";

/** A record on one line of `width` columns: when, where, what, who decided, what became of it. */
export const auditRow = (record: AuditRecord, width: number): string => {
  const { decision, disposition, durationMillis, sessionKey, status, time, tool } = record;
  const decided =
    decision === undefined
      ? disposition
      : `${decision.verdict} (${decision.rule === undefined ? decision.layer : `${decision.layer} ${decision.rule}`})`;
  const took = durationMillis === undefined ? "" : ` in ${durationWords(durationMillis)}`;
  const became = disposition === "executed" ? `${status}${took}` : disposition;
  const head = `${when(time)}  ${oneLine(sessionKey.slice(-4), 8).padEnd(4)}  ${oneLine(tool, 20).padEnd(10)}  `;
  const tail = `  ${oneLine(decided, 40)}  ${became}`;
  const room = Math.max(Number.isFinite(width) ? width - head.length - tail.length : 60, 16);
  return `${head}${oneLine(subjectOf(record), room).padEnd(Math.min(room, 60))}${tail}`;
};

// What a call is about: the command or the path, where it has one.
const subjectOf = ({ input }: AuditRecord): string => {
  if (typeof input === "object" && input !== null)
    for (const key of ["command", "path", "pattern", "url"])
      for (const [name, value] of Object.entries(input)) if (name === key && typeof value === "string") return value;
  return inputLine(input);
};
