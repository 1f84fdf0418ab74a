import type { ToolResultPart } from "@kumiko/plugin-api";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * Longest text of a result in the context, in characters; about 8 000 tokens. Symptom when it binds: the model reads the
 * rest with `result_read`. Override: `maxResultCharacters` of the harness.
 */
export const defaultMaxResultCharacters = 30_000;

/** Of a shortened text, this share is its beginning; the end of a log says more than its middle. */
const headShare = 0.7;

/** Shorter runs of base64 are hashes and keys; longer ones are contents that say nothing to a model. */
const shortestBinary = 500;

/** The whole text of a result whose context holds a part of it. */
export interface WholeResult {
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/**
 * Shortens what a result says, head and tail, and replaces long stretches of base64 by their size. The whole is given
 * beside it, to be kept under its digest, and the text says how to read it. A result that is short and plain stays as it
 * is, the same object. Pure.
 */
export const shortenResult = (
  result: ToolResultPart,
  reference: string,
  maxCharacters: number,
): { readonly result: ToolResultPart; readonly whole?: WholeResult } => {
  const { text } = result;
  // One that is used again has been shortened already.
  if (text.length < shortestBinary || result.kept !== undefined) return { result };
  const plain = withoutBinary(text);
  if (plain === text && text.length <= maxCharacters) return { result };
  const bytes = utf8ToBytes(text);
  const digest = bytesToHex(sha256(bytes));
  const kept = { reference, digest, characters: text.length };
  const how = `the whole result has ${text.length} characters; read more of it with result_read, reference "${reference}"`;
  const shown = plain.length <= maxCharacters ? `${plain}\n(${how})` : `${headAndTail(plain, maxCharacters, how)}`;
  return { result: { ...result, text: shown, kept }, whole: { digest, bytes } };
};

const headAndTail = (text: string, most: number, how: string): string => {
  const head = cutAt(text, Math.floor(most * headShare));
  const tail = cutAt(text, text.length - (most - head));
  return `${text.slice(0, head)}\n\n(${tail - head} characters are left out here; ${how})\n\n${text.slice(tail)}`;
};

// At the end of a line where one is near, and never inside a character.
const cutAt = (text: string, at: number): number => {
  const line = text.lastIndexOf("\n", at);
  if (line > at - 200 && line > 0) return line + 1;
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
};

const binary = new RegExp(`[A-Za-z0-9+/]{${shortestBinary},}={0,2}`, "g");

const withoutBinary = (text: string): string =>
  hasLongRun(text)
    ? text.replace(binary, (run) =>
        // Words, hex digits and rules of one character are none.
        isMixed(run.slice(0, shortestBinary)) ? `[binary data: ${Math.floor((run.length * 3) / 4)} bytes]` : run,
      )
    : text;

// Every result is looked at, so it is done in hops: a run that long covers one of the places looked at.
const hasLongRun = (text: string): boolean => {
  for (let at = shortestBinary - 1; at < text.length; at += shortestBinary) {
    if (!isBase64(text.charCodeAt(at))) continue;
    let from = at;
    let to = at + 1;
    while (from > 0 && isBase64(text.charCodeAt(from - 1))) from--;
    while (to < text.length && isBase64(text.charCodeAt(to))) to++;
    if (to - from >= shortestBinary && isMixed(text.slice(from, from + shortestBinary))) return true;
    at = Math.max(at, to - shortestBinary);
  }
  return false;
};

const isBase64 = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43;

const isMixed = (run: string): boolean => /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
