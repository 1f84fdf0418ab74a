import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

const folders: Array<string> = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder of its own, gone after the test. */
export const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "kumiko-journal-"));
  folders.push(folder);
  return join(folder, "sessions");
};
