/**
 * A path as it can stand in a line of output. Names that a line could not hold, or that read like `path:line:`, come as
 * JSON strings.
 */
export const shownPath = (path: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u001f\u007f\u2028\u2029]|^"|:\d+:/.test(path) ? JSON.stringify(path).replaceAll("\u007f", "\\u007f") : path;
