import type { Resource, Risk, ToolResultPart } from "@kumiko/plugin-api";
import { conflicts } from "./internal/overlaps.ts";

interface Entry {
  readonly result: ToolResultPart;
  readonly resources: ReadonlyArray<Resource>;
  readonly atMillis: number;
}

/**
 * Results of cacheable reads of a session, for answering an identical later call without running it. An entry goes as
 * soon as something could have changed it: a write to what it read, any other call that is not a read and does not say
 * what it writes, or 60 s (files also change from outside). Holds 256 entries; the oldest goes first.
 */
export class ResultCache {
  static readonly maxAgeMillis = 60_000;
  static readonly maxEntries = 256;
  readonly #entries = new Map<string, Entry>();

  get(key: string, nowMillis: number): ToolResultPart | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (nowMillis - entry.atMillis <= ResultCache.maxAgeMillis && nowMillis >= entry.atMillis) return entry.result;
    this.#entries.delete(key);
    return undefined;
  }

  add(key: string, result: ToolResultPart, resources: ReadonlyArray<Resource>, nowMillis: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { result, resources, atMillis: nowMillis });
    if (this.#entries.size <= ResultCache.maxEntries) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Drops what a call may have changed, however the call ended. */
  invalidate(call: { readonly risk: Risk; readonly resources: ReadonlyArray<Resource> }): void {
    if (call.risk === "read") return;
    const written = call.resources.filter(({ mode }) => mode === "write");
    if (written.length === 0) this.#entries.clear();
    else for (const [key, entry] of this.#entries) if (conflicts(entry.resources, written)) this.#entries.delete(key);
  }
}
