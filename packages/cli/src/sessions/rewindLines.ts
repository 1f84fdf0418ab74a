import { relative } from "node:path";
import type { RestoredFile } from "@kumiko/local-tools";
import { oneLine } from "../printable.ts";
import type { Rewind } from "./rewindOf.ts";

/** What a rewind would do, in words: the runs, the files, and what stays as it is. */
export const previewLines = (
  id: string,
  { cwd, from, plan }: Rewind,
  line: { readonly conversation: boolean; readonly files: boolean },
  preview: ReadonlyArray<RestoredFile>,
): ReadonlyArray<string> => {
  const targets = new Map(plan.files.map(({ path, target }) => [path, target]));
  const files = preview.map((file) => {
    const name = nameOf(file.path, cwd);
    if (file.outcome === "restored") return `  ${targets.get(file.path) === null ? "remove  " : "put back"}  ${name}`;
    if (file.outcome === "unchanged") return `  as it was ${name}`;
    return `  leave     ${name}: ${oneLine(file.detail ?? "", 300)}`;
  });
  return [
    line.files ? `Files of these runs of session ${id}:` : `Taking back, in session ${id}:`,
    ...plan.prompts.map((prompt, index) => `  run ${from + index}: ${oneLine(prompt, 80)}`),
    ...(line.conversation ? [] : files.length === 0 ? ["No files were changed."] : ["Files:", ...files]),
    ...(plan.irreversible.length === 0
      ? []
      : ["What cannot be undone:", ...plan.irreversible.map((what) => `  ${oneLine(what, 300)}`)]),
  ];
};

/** What became of the files. */
export const restoredLines = (
  restored: ReadonlyArray<RestoredFile>,
  cwd: string | undefined,
): ReadonlyArray<string> => {
  const done = restored.filter(({ outcome }) => outcome === "restored").length;
  const left = restored.filter(({ outcome }) => outcome === "conflict" || outcome === "failed");
  return [
    ...(done === 0 ? [] : [`${done === 1 ? "A file is" : `${done} files are`} as before.`]),
    ...left.map(({ detail = "", path }) => `Left as it is: ${nameOf(path, cwd)}: ${oneLine(detail, 300)}`),
    ...(left.some(({ outcome }) => outcome === "conflict") ? ["--force puts back what others changed, too."] : []),
  ];
};

const nameOf = (path: string, cwd: string | undefined): string => {
  const name = cwd === undefined ? path : relative(cwd, path);
  return oneLine(name.startsWith("..") ? path : name, 200);
};
