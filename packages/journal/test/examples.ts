// What the examples in docstrings name.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const freshFolder = (): string => mkdtempSync(join(tmpdir(), "kumiko-example-"));
