import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal, type Question, Questions } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { afterEach, describe, expect, it } from "vitest";
import { layerSqlite, sessionFiles } from "../src/sqlite.ts";

const made: Array<string> = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});
const place = () => {
  const directory = mkdtempSync(join(tmpdir(), "kumiko-files-"));
  made.push(directory);
  return { directory, files: sessionFiles({ directory }) };
};
const question: Question = {
  id: "q1",
  runId: "r1",
  sessionKey: "a",
  kind: "approval",
  prompt: "May it?",
  callId: "c1",
  tool: "bash",
  input: {},
  inputDigest: "d",
  decision: { verdict: "ask", layer: "mode", reason: "it asks", risk: "local-write", resources: [], effects: [] },
};
const entry = { actor: "session", kind: "event", body: { type: "x" } } as const;

describe("sessionFiles", () => {
  it("knows who is in use, what is open, and removes all there is of a session", async () => {
    const { directory, files } = place();
    const seen = await Effect.runPromise(
      Effect.provide(
        Effect.gen(function* () {
          const journal = yield* Journal;
          const questions = yield* Questions;
          expect(files.stamp("a")).toBeUndefined();
          const inUse = yield* Effect.scoped(
            Effect.gen(function* () {
              const writer = yield* journal.open("a");
              yield* writer.append([entry], { asks: question });
              const refused = yield* Effect.flip(files.remove("a"));
              expect(refused.reason).toBe("locked");
              return yield* files.isInUse("a");
            }),
          );
          const before = files.stamp("a");
          const open = yield* files.questions("a");
          yield* questions.answer("q1", { type: "approve" });
          expect(files.stamp("a")).not.toBe(before);
          return { inUse, after: yield* files.isInUse("a"), open, answered: yield* files.questions("a") };
        }),
        layerSqlite({ directory }),
      ),
    );
    expect(seen).toMatchObject({ inUse: true, after: false, open: [{ id: "q1" }], answered: [] });
    writeFileSync(join(directory, "a.db.damaged-1"), "");
    writeFileSync(join(directory, "ab.db"), "");
    expect(await Effect.runPromise(files.remove("a"))).toBe(true);
    expect(readdirSync(directory)).toEqual(["ab.db"]);
    expect(await Effect.runPromise(files.remove("a"))).toBe(false);
    expect(await Effect.runPromise(files.remove("../a"))).toBe(false);
    expect(existsSync(directory)).toBe(true);
  });

  it("hold answers to their own questions only: one that is damaged keeps no other from being answered", async () => {
    const { directory } = place();
    await Effect.runPromise(
      Effect.provide(
        Effect.gen(function* () {
          const journal = yield* Journal;
          const questions = yield* Questions;
          yield* Effect.scoped(
            Effect.flatMap(journal.open("a"), (writer) => writer.append([entry], { asks: question })),
          );
          writeFileSync(join(directory, "damaged.db"), "this is no session");
          expect((yield* Effect.flip(questions.answer("q2", { type: "approve" }))).reason).toBe("unknown");
          yield* questions.answer("q1", { type: "approve" });
          expect(yield* questions.open).toEqual([]);
        }),
        layerSqlite({ directory }),
      ),
    );
  });
});
