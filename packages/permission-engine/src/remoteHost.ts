import { hostOf } from "./hostOf.ts";

/** A host in `host:path`, `user@host:path` or a URL; undefined: it is a file. */
export const remoteHost = (text: string): string | undefined =>
  /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text) || /^[^/:]+:/.test(text) ? hostOf(text) : undefined;
