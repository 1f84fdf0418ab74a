import type { Writable } from "node:stream";

/** What may wait for a slow reader before whoever writes has to wait too. */
const maxWaitingBytes = 16 * 1024 * 1024;

/** A stream that may go away while it is written to, such as a pipe into `head`. */
export class Output {
  readonly #stream: Writable;
  #isClosed = false;
  #last: Promise<void> = Promise.resolve();
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

  /** Hands text over, in order. Waits only while very much is waiting already; writes nothing to a reader that has gone. */
  async push(text: string): Promise<void> {
    if (this.#isClosed) return;
    this.#last = new Promise((resolve) => {
      this.#stream.write(text, (error) => {
        if (error !== undefined && error !== null) this.#isClosed = true;
        resolve();
      });
    });
    if (this.#stream.writableLength > maxWaitingBytes) await this.flush();
  }

  /** Waits until everything has reached the reader, or the reader has gone. */
  async flush(): Promise<void> {
    await Promise.race([this.#last, this.closed]);
  }
}
