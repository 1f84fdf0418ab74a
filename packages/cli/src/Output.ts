import type { Writable } from "node:stream";

/** A stream that may go away while it is written to, such as a pipe into `head`. */
export class Output {
  readonly #stream: Writable;
  #isClosed = false;
  /** Settles when the reader has gone; never otherwise. */
  readonly closed: Promise<void>;

  constructor(stream: Writable) {
    this.#stream = stream;
    this.closed = new Promise((resolve) => {
      const close = (): void => {
        this.#isClosed = true;
        resolve();
      };
      stream.once("error", close);
      stream.once("close", close);
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Writes, and waits while the reader is behind. Writes nothing once the reader has gone. */
  async write(text: string): Promise<void> {
    if (this.#isClosed || this.#stream.write(text)) return;
    await Promise.race([new Promise<void>((resolve) => this.#stream.once("drain", resolve)), this.closed]);
  }
}
