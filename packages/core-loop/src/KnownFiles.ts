import type { KnownFile } from "@kumiko/plugin-api";

/**
 * What a session knows of files: the digest of each as it last saw or wrote it. Tools refuse to change what was never
 * read, or has changed since. Holds 10 000 files; the one heard of longest ago goes first, and has to be read again.
 */
export class KnownFiles {
  static readonly maxFiles = 10_000;
  readonly #digests = new Map<string, string>();

  get(path: string): string | undefined {
    return this.#digests.get(path);
  }

  learn(files: ReadonlyArray<KnownFile>): void {
    for (const { digest, path } of files) {
      this.#digests.delete(path);
      if (digest === null) continue;
      this.#digests.set(path, digest);
      const [oldest] = this.#digests.keys();
      if (this.#digests.size > KnownFiles.maxFiles && oldest !== undefined) this.#digests.delete(oldest);
    }
  }
}
