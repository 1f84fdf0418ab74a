import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Journal, type JournalRecord } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { layerSqlite } from "../src/sqlite.ts";
import { freshFolder } from "./freshFolder.ts";

const on = <A, E>(directory: string, effect: Effect.Effect<A, E, Journal>) =>
  Effect.runPromise(Effect.exit(Effect.provide(effect, layerSqlite({ directory }))));

/** A session of `appends` appends, closed in good order, as bytes; and as it is while it is open, its log beside it. */
const written = async (appends: number) => {
  const directory = freshFolder();
  const path = join(directory, "s.db");
  const open = join(dirname(directory), "open.db");
  await on(
    directory,
    Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* (yield* Journal).open("s");
        for (let n = 0; n < appends; n++)
          yield* writer.append(
            [
              { actor: "session", kind: "event", body: { type: "counted", n } },
              { actor: "session", kind: "intent", body: { type: "intent.count", text: "x".repeat(900) } },
            ],
            n % 10 === 0 ? { blobs: [{ digest: String(n), bytes: new Uint8Array(2_000) }] } : undefined,
          );
        yield* Effect.sync(() => {
          copyFileSync(path, open);
          copyFileSync(`${path}-wal`, `${open}-wal`);
        });
      }),
    ),
  );
  return { path, open };
};

interface Opened {
  readonly repair: string | undefined;
  readonly records: ReadonlyArray<JournalRecord>;
}
const opened = (directory: string) =>
  on(
    directory,
    Effect.scoped(
      Effect.gen(function* () {
        const journal = yield* Journal;
        const writer = yield* journal.open("s");
        const records = yield* journal.read("s");
        // What was mended can be written on.
        yield* writer.append([{ actor: "session", kind: "event", body: { type: "went.on" } }]);
        return { repair: writer.repair, records } satisfies Opened;
      }),
    ),
  );

const isPrefix = (records: ReadonlyArray<JournalRecord>): boolean =>
  records.every(
    ({ body, seq }, at) =>
      seq === at + 1 && (at % 2 === 1 || JSON.stringify(body) === JSON.stringify({ type: "counted", n: at / 2 })),
  );

/** Puts a damaged copy in a folder of its own, opens it, and checks what came of it. */
const survives = async (
  from: string,
  damage: (path: string) => void,
  whole: number,
): Promise<"whole" | "mended" | "refused" | "torn"> => {
  const directory = freshFolder();
  const path = join(directory, "s.db");
  mkdirSync(directory, { recursive: true });
  copyFileSync(from, path);
  if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${path}-wal`);
  damage(path);
  const before = readFileSync(path);
  const exit = await opened(directory);
  const backups = readdirSync(directory).filter((name) => name.includes(".damaged-") && !name.endsWith("-wal"));
  if (Exit.isFailure(exit)) {
    expect(String(exit.cause)).toMatch(/damaged|is no session file|later version|is the file of session/);
    // Refused: the file is as it was, and for what is beyond repair there is a copy.
    expect(readFileSync(path).equals(before)).toBe(true);
    if (String(exit.cause).includes("beyond repair")) expect(backups).toHaveLength(1);
    return "refused";
  }
  const { records, repair } = exit.value;
  expect(isPrefix(records)).toBe(true);
  if (repair === undefined) return records.length === whole ? "whole" : "torn";
  expect(repair).toMatch(/records 1 to \d+ are kept|was empty/);
  if (!repair.includes("was empty")) {
    expect(backups).toHaveLength(1);
    expect(readFileSync(join(directory, backups[0] ?? "")).equals(before)).toBe(true);
  }
  expect(readdirSync(directory).filter((name) => name.includes(".repair") || name.includes(".work"))).toEqual([]);
  return "mended";
};

const offsets = (size: number, count: number): ReadonlyArray<number> => {
  let state = soak.seed;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * size);
  });
};

describe("a session file that was cut off", () => {
  it("opens with at most its tail missing, and says so, or is refused with a copy", async () => {
    const { path } = await written(120);
    const size = statSync(path).size;
    const outcomes = { whole: 0, torn: 0, mended: 0, refused: 0 };
    for (const offset of [0, 1, 100, 4095, 4096, size - 1, size, ...offsets(size, soak.runsOr(60))])
      outcomes[await survives(path, (copy) => truncateSync(copy, offset), 240)]++;
    expect(outcomes.torn).toBe(0);
    expect(outcomes.mended).toBeGreaterThan(20);
    expect(outcomes.whole).toBeGreaterThan(0);
    console.log(`truncated at ${soak.runsOr(60) + 7} offsets, seed ${soak.seed}: ${JSON.stringify(outcomes)}`);
  });

  it("loses no more than the last append when its log is torn", async () => {
    const { open } = await written(40);
    const size = statSync(`${open}-wal`).size;
    for (const offset of [0, 10, size - 1, size, ...offsets(size, soak.runsOr(40))]) {
      const outcome = await survives(open, (copy) => truncateSync(`${copy}-wal`, offset), 80);
      expect(["whole", "torn", "mended", "refused"]).toContain(outcome);
      if (offset === size) expect(outcome).toBe("whole");
    }
  });
});

describe("a session file with wrong bytes", () => {
  it("is never taken for whole where a record is not what was written", async () => {
    const { path } = await written(60);
    const size = statSync(path).size;
    for (const offset of offsets(size, soak.runsOr(60))) {
      const outcome = await survives(
        path,
        (copy) => {
          const bytes = readFileSync(copy);
          bytes[offset] = (bytes[offset] ?? 0) ^ 0x55;
          writeFileSync(copy, bytes);
        },
        120,
      );
      // Bytes that no record lies in may be wrong without harm; what is read is checked to be what was written.
      expect(["whole", "mended", "refused"]).toContain(outcome);
    }
  });

  it("is refused where it is something else, and left alone", async () => {
    const { path } = await written(1);
    expect(await survives(path, (copy) => writeFileSync(copy, "x".repeat(5_000)), 2)).toBe("refused");
    const foreign = (copy: string): void => {
      writeFileSync(copy, "");
      const database = new DatabaseSync(copy);
      database.exec("CREATE TABLE theirs (a); PRAGMA user_version = 7");
      database.close();
    };
    expect(await survives(path, foreign, 2)).toBe("refused");
  });

  it("is refused where a later version wrote it", async () => {
    const { path } = await written(1);
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99");
    database.close();
    const exit = await opened(dirname(path));
    expect(String(Exit.isFailure(exit) ? exit.cause : "")).toMatch(/later version.*update to use it/);
  });

  it("is refused where it is another session's", async () => {
    const { path } = await written(1);
    copyFileSync(path, join(dirname(path), "other.db"));
    const exit = await on(dirname(path), Effect.scoped(Effect.flatMap(Journal, (journal) => journal.open("other"))));
    expect(String(Exit.isFailure(exit) ? exit.cause : "")).toContain("it is the file of session s");
  });
});

describe("names of sessions", () => {
  it("whatever they hold, are file names of their own, and come back", async () => {
    const directory = freshFolder();
    const names = [
      "../../etc/passwd",
      ".",
      "..",
      "a/b",
      "A",
      "a",
      "ü😀",
      "x".repeat(5_000),
      `${"x".repeat(5_000)}y`,
      "con%41",
      "\u0000\n",
      "-rf",
      "~",
      "s.db",
    ];
    const exit = await on(
      directory,
      Effect.gen(function* () {
        const journal = yield* Journal;
        for (const name of names)
          yield* Effect.scoped(
            Effect.flatMap(journal.open(name), (writer) =>
              writer.append([{ actor: "session", kind: "event", body: { type: "named", name } }]),
            ),
          );
        const found = yield* journal.streams;
        const bodies = yield* Effect.forEach(names, (name) => journal.read(name));
        return { found, bodies };
      }),
    );
    if (Exit.isFailure(exit)) throw new Error(String(exit.cause));
    expect([...exit.value.found].toSorted()).toEqual([...names].toSorted());
    exit.value.bodies.forEach((records, at) => expect(records[0]?.body).toEqual({ type: "named", name: names[at] }));
    expect(readdirSync(dirname(directory))).toEqual(["sessions"]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    chmodSync(directory, 0o700);
  });
});

describe("a repair that was cut short", () => {
  it("is finished by whoever opens the session next", async () => {
    const { path } = await written(60);
    const directory = dirname(path);
    const whole = await opened(directory);
    expect(Exit.isSuccess(whole) && whole.value.repair).toBe(undefined);
    // As a process that died between mending and putting in place leaves it: the damaged log must not be taken for the
    // new file's.
    copyFileSync(path, `${path}.repair`);
    truncateSync(path, 50_000);
    writeFileSync(`${path}-wal`, "not a log");
    const after = await opened(directory);
    if (Exit.isFailure(after)) throw new Error(String(after.cause));
    expect(after.value.repair).toBeUndefined();
    expect(after.value.records).toHaveLength(121);
    expect(existsSync(`${path}.repair`)).toBe(false);
  });
});
