import type { KnownFile } from "@kumiko/plugin-api";

/**
 * What a session knows of files: the digest of each as it last saw or wrote it. Tools refuse to change what was never
 * read, or has changed since. Holds 10 000 files; the one heard of longest ago goes first, and has to be read again.
 */
export class KnownFiles {
  static readonly maxFiles = 10_000;
  // Made when there is something to know: most sessions in memory never do.
  #digests: Map<string, string> | undefined;

  get(path: string): string | undefined {
    return this.#digests?.get(path);
  }

  learn(files: ReadonlyArray<KnownFile>): void {
    if (files.length === 0) return;
    const digests = (this.#digests ??= new Map());
    for (const { digest, path } of files) {
      digests.delete(path);
      if (digest === null) continue;
      digests.set(path, digest);
      const [oldest] = digests.keys();
      if (digests.size > KnownFiles.maxFiles && oldest !== undefined) digests.delete(oldest);
    }
  }
}
