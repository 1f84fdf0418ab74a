import { makeTerminalText } from "./TerminalText.ts";

/** Turns the bytes that a command writes into text, each of its outputs on its own: no character is cut by another. */
export interface CommandOutput {
  readonly push: (bytes: Uint8Array, output: number) => void;
  /** What was kept back. */
  readonly end: () => void;
  /** What has to be said of the text, in parentheses. */
  readonly notes: () => ReadonlyArray<string>;
}

/**
 * Reads the two outputs of a command; `onText` gets what is text in them.
 *
 * @example
 * ```ts
 * const texts: Array<string> = []
 * makeCommandOutput((text) => texts.push(text)).push(Buffer.from("\u001b[1mbold\u001b[0m"), 0)
 * texts // => ["bold"]
 * ```
 */
export const makeCommandOutput = (onText: (text: string) => void): CommandOutput => {
  const parts = [0, 1].map(() => ({
    decoder: new TextDecoder("utf-8", { ignoreBOM: true }),
    terminal: makeTerminalText(),
  }));
  let isUnreadable = false;
  const push = (text: string): void => {
    if (text === "") return;
    isUnreadable ||= /[\u2400\ufffd]/.test(text);
    onText(text);
  };
  return {
    push: (bytes, output) => {
      const part = parts[output];
      if (part !== undefined) push(part.terminal.push(part.decoder.decode(bytes, { stream: true })));
    },
    end: () => {
      for (const { decoder, terminal } of parts) push(terminal.push(decoder.decode()) + terminal.end());
    },
    notes: () => [
      ...(isUnreadable ? ["(not all of it is text: NUL is shown as \u2400, what is not UTF-8 as \ufffd)"] : []),
      ...(parts.some(({ terminal }) => terminal.hasOverwritten())
        ? ["(of lines written over by carriage returns, only the last state is shown)"]
        : []),
    ],
  };
};
