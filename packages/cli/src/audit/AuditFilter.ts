import type { AuditRecord, Verdict } from "@kumiko/plugin-api";

/** Which records are wanted. What is not given is no matter. */
export interface AuditFilter {
  readonly session: string | undefined;
  readonly tools: ReadonlyArray<string>;
  readonly verdict: Verdict | undefined;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Whether a record is wanted. A session may be named by the beginning of its id, or by its last letters. */
export const isWanted = ({ decision, sessionKey, time, tool }: AuditRecord, filter: AuditFilter): boolean =>
  time >= filter.since &&
  (filter.session === undefined ||
    sessionKey.startsWith(filter.session) ||
    sessionKey.endsWith(`-${filter.session}`)) &&
  (filter.tools.length === 0 || filter.tools.includes(tool)) &&
  (filter.verdict === undefined || decision?.verdict === filter.verdict);
