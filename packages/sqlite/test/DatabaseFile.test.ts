import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../src/index.ts";
import { failureOf, freshPath, notebook } from "./support.ts";

const filled = (path: string, rows: number): void => {
  const database = openDatabase(path, notebook, { mode: "create" });
  const insert = database.prepare("INSERT INTO note (text) VALUES (?)");
  for (let row = 0; row < rows; row++) insert.run(`${row} ${"x".repeat(500)}`);
  database.close();
};

describe("openDatabase", () => {
  it("keeps what was written, in WAL mode, under its own application id", () => {
    const path = freshPath();
    filled(path, 3);
    const database = openDatabase(path, notebook, { mode: "write" });
    expect(database.prepare("SELECT count(*) AS n FROM note").get()?.["n"]).toBe(3);
    expect(database.prepare("PRAGMA journal_mode").get()?.["journal_mode"]).toBe("wal");
    expect(database.prepare("PRAGMA application_id").get()?.["application_id"]).toBe(notebook.applicationId);
    database.close();
  });

  it("runs each migration once, in order", () => {
    const path = freshPath();
    filled(path, 1);
    const next = {
      ...notebook,
      migrations: [...notebook.migrations, "ALTER TABLE note ADD COLUMN done INTEGER NOT NULL DEFAULT 0"],
    };
    for (let time = 0; time < 2; time++) {
      const database = openDatabase(path, next, { mode: "write" });
      expect(database.prepare("SELECT done FROM note").all()).toHaveLength(1);
      database.close();
    }
    const failure = failureOf(() => openDatabase(path, notebook, { mode: "write" }));
    expect(failure).toMatchObject({ reason: "newer" });
    expect(failure.message).toContain("later version");
  });

  it("leaves the file as it was when a migration fails", () => {
    const path = freshPath();
    filled(path, 2);
    const broken = {
      ...notebook,
      migrations: [...notebook.migrations, "CREATE TABLE extra (a); INSERT INTO nowhere VALUES (1)"],
    };
    failureOf(() => openDatabase(path, broken, { mode: "write" }));
    const database = openDatabase(path, notebook, { mode: "write" });
    expect(database.prepare("SELECT count(*) AS n FROM note").get()?.["n"]).toBe(2);
    expect(database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'extra'").get()?.["n"]).toBe(0);
    database.close();
  });

  it("refuses what is no file of its kind, and leaves it alone", () => {
    const text = freshPath();
    writeFileSync(text, "Dear diary, this is no database at all, but it is long enough to look like one: ".repeat(4));
    expect(failureOf(() => openDatabase(text, notebook, { mode: "create" }))).toMatchObject({ reason: "foreign" });
    expect(readFileSync(text, "utf8")).toContain("Dear diary");

    const other = freshPath();
    const database = new DatabaseSync(other);
    database.exec("CREATE TABLE theirs (a)");
    database.close();
    expect(failureOf(() => openDatabase(other, notebook, { mode: "write" }))).toMatchObject({ reason: "foreign" });

    const folder = freshPath();
    mkdirSync(folder);
    expect(failureOf(() => openDatabase(folder, notebook, { mode: "create" }))).toMatchObject({ reason: "foreign" });
    expect(failureOf(() => openDatabase(freshPath(), notebook, { mode: "write" }))).toMatchObject({
      reason: "missing",
    });
  });

  it("opens an empty file: its maker may have died before the first page", () => {
    const path = freshPath();
    writeFileSync(path, "");
    openDatabase(path, notebook, { mode: "create" }).close();
    expect(statSync(path).size).toBeGreaterThan(0);
  });

  it("says that a file is cut off, however it was cut", () => {
    const path = freshPath();
    filled(path, 200);
    const whole = statSync(path).size;
    for (const left of [1, 15, 60, 99, 100, 4096, 5000, whole - 4096, whole - 1]) {
      const copy = freshPath();
      writeFileSync(copy, readFileSync(path));
      truncateSync(copy, left);
      const { reason } = failureOf(() => openDatabase(copy, notebook, { mode: "write" }));
      expect(["corrupt", "foreign"], `${left} bytes`).toContain(reason);
    }
  });

  it("says that a folder is read-only", () => {
    const path = freshPath();
    filled(path, 1);
    chmodSync(path, 0o444);
    chmodSync(dirname(path), 0o555);
    const script = `import { openDatabase } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
      try { openDatabase(process.argv[1], ${JSON.stringify(notebook)}, { mode: "write" }); }
      catch (error) { console.log(error.reason); }`;
    // Nothing is read-only to root, so a process of nobody's looks.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { stdout } = spawnSync(
      process.execPath,
      ["-C", "@kumiko/source", "--input-type=module", "-e", script, path],
      {
        encoding: "utf8",
        cwd: "/",
        timeout: 10_000,
        ...nobody,
      },
    );
    chmodSync(dirname(path), 0o755);
    expect(stdout.trim()).toBe("read-only");
  });

  it("is brought up to date once when several processes open it at the same time", async () => {
    const path = freshPath();
    const script = `import { openDatabase } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
      const kind = ${JSON.stringify({ ...notebook, migrations: [...notebook.migrations, "INSERT INTO note (text) VALUES ('once')"] })};
      openDatabase(process.argv[1], kind, { mode: "create", busyTimeoutMillis: 10000 }).close();`;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ["-C", "@kumiko/source", "--input-type=module", "-e", script, path], {
        stdio: "inherit",
      }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual([0, 0, 0, 0]);
    const database = new DatabaseSync(path);
    expect(database.prepare("SELECT count(*) AS n FROM note").get()?.["n"]).toBe(1);
    database.close();
  });
});
