import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { DatabaseFailed, type DatabaseKind } from "../src/index.ts";

export const notebook: DatabaseKind = {
  applicationId: 0x6e6f7465,
  name: "notebook",
  migrations: ["CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)"],
};

const folders: Array<string> = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A path in a folder of its own, gone after the test. */
export const freshPath = (name = "notes.db"): string => {
  const folder = mkdtempSync(join(tmpdir(), "kumiko-sqlite-"));
  folders.push(folder);
  return join(folder, name);
};

/** The failure that `action` throws. */
export const failureOf = (action: () => unknown): DatabaseFailed => {
  try {
    action();
  } catch (error) {
    if (error instanceof DatabaseFailed) return error;
    throw error;
  }
  throw new Error("it did not fail");
};
