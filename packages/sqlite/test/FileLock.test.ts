import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { takeFileLock } from "../src/index.ts";
import { failureOf, freshPath } from "./support.ts";

const children: Array<ChildProcess> = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

const holder = async (path: string): Promise<ChildProcess> => {
  const script = `import { takeFileLock } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
    takeFileLock(process.argv[1]);
    console.log("held");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["-C", "@kumiko/source", "--input-type=module", "-e", script, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  await once(child.stdout, "data");
  return child;
};

const killed = async (child: ChildProcess): Promise<void> => {
  const over = once(child, "exit");
  child.kill("SIGKILL");
  await over;
};

describe("takeFileLock", () => {
  it("has one holder, also within a process", () => {
    const path = freshPath("a.lock");
    const lock = takeFileLock(path);
    expect(failureOf(() => takeFileLock(path))).toMatchObject({ reason: "locked" });
    lock.release();
    lock.release();
    takeFileLock(path).release();
  });

  it("is freed when its holder is killed, and not before", async () => {
    const path = freshPath("a.lock");
    const child = await holder(path);
    expect(failureOf(() => takeFileLock(path)).reason).toBe("locked");
    await killed(child);
    takeFileLock(path).release();
  });

  it("is kept by a process that is stopped: it may wake up and go on", async () => {
    const path = freshPath("a.lock");
    const child = await holder(path);
    child.kill("SIGSTOP");
    expect(failureOf(() => takeFileLock(path)).reason).toBe("locked");
    await killed(child);
    takeFileLock(path).release();
  });

  it("is one process's, of many that want it", async () => {
    const path = freshPath("a.lock");
    const script = `import { takeFileLock } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
      try { takeFileLock(process.argv[1]); console.log("held"); setTimeout(() => {}, 1500); }
      catch (error) { console.log(error.reason); }`;
    const said = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, ["-C", "@kumiko/source", "--input-type=module", "-e", script, path], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        const [text] = await once(child.stdout, "data");
        return String(text).trim();
      }),
    );
    expect(said.toSorted()).toEqual(["held", "locked", "locked", "locked"]);
  });

  it("says what else is wrong", () => {
    expect(failureOf(() => takeFileLock("/nowhere/at/all.lock")).reason).toBe("unavailable");
  });
});
