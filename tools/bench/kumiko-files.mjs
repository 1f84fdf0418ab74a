// The same sessions, kept in files: every reply and every result is safe before anything goes on.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layerSqlite } from "@kumiko/journal/sqlite";
import { setup as setupWith } from "./kumiko.mjs";

export const setup = (options) => {
  const directory = mkdtempSync(join(tmpdir(), "kumiko-bench-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  return setupWith({ ...options, sessions: layerSqlite({ directory }) });
};
