/**
 * What a schema says does not fit, on one line and with plain paths: `Expected string at "files[0].path"`. The text it
 * gives itself looks like a stack trace.
 */
export const schemaProblem = (message: string): string =>
  message
    .replaceAll(/\n\s*at ((?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])+)/g, (_, path: string) => ` at "${plainPath(path)}"`)
    .replaceAll(/\s*\n\s*/g, "; ");

const plainPath = (path: string): string =>
  path.replaceAll(/\["((?:[^"\\]|\\.)*)"\]/g, (_, key: string) => `.${key}`).replace(/^\./, "");
