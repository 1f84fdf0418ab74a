import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, ended, folder, home, modelServer, until } from "./support.ts";

const closing: Array<() => void> = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  cleanUp();
});

const parts = `
- name: change
  when: [change]
  steps:
    - call: { tool: file_read, input: { path: kept.txt } }
    - call: { tool: file_write, input: { path: kept.txt, content: "changed" } }
    - call: { tool: file_write, input: { path: new.txt, content: "new" } }
    - call: { tool: bash, input: { command: "echo hi > side.txt" } }
    - say: changed it
`;

/** A session that has said hello and then changed files. */
const changed = async () => {
  const at = home();
  const cwd = folder();
  const file = join(folder(), "parts.yaml");
  writeFileSync(file, parts);
  const kept = join(cwd, "kept.txt");
  writeFileSync(kept, Buffer.from([0x61, 0x0d, 0x0a, 0x62]));
  chmodSync(kept, 0o750);
  const first = await at.kumiko("-p", "hello", "--cwd", cwd, "--output-format", "json");
  const { sessionKey: id } = JSON.parse(first.stdout);
  const args = ["--rehearsal", file, "--mode", "accept-edits", "--allow", "echo *"];
  const { code, stderr } = await at.kumiko("--resume", id, "-p", "change it", ...args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(readFileSync(kept, "utf8")).toBe("changed");
  return { ...at, cwd, id, kept };
};

describe("kumiko rewind", () => {
  it("lists the runs, says what it would do and what cannot be undone, and then does it", async () => {
    const { cwd, id, kept, kumiko } = await changed();
    expect((await kumiko("rewind", id)).stdout).toMatch(
      /1\. .*done {2}hello\n.*2\. .*done, 2 files changed {2}change it\n/,
    );
    const preview = await kumiko("rewind", id, "--to", "2", "--dry-run");
    expect(preview.stdout).toMatch(
      /run 2: change it\nFiles:\n {2}put back {2}kept\.txt\n {2}remove {4}new\.txt\nWhat cannot be undone:\n {2}bash .*echo hi > side\.txt/,
    );
    expect(readFileSync(kept, "utf8")).toBe("changed");
    const unasked = await kumiko("rewind", id, "--to", "2");
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toMatch(/say --yes/);

    const { code, stdout } = await kumiko("rewind", id, "--to", "2", "--yes");
    expect(code).toBe(0);
    expect(stdout).toMatch(/2 files are as before/);
    expect([...readFileSync(kept)]).toEqual([0x61, 0x0d, 0x0a, 0x62]);
    expect(statSync(kept).mode & 0o777).toBe(0o750);
    expect(existsSync(join(cwd, "new.txt"))).toBe(false);
    expect(existsSync(join(cwd, "side.txt"))).toBe(true);
    expect((await kumiko("rewind", id)).stdout).not.toMatch(/change it/);
    const gone = await kumiko("rewind", id, "--to", "2", "--yes");
    expect(gone.code).toBe(2);
    expect(gone.stderr).toMatch(/has no run 2/);
  });

  it("leaves what somebody else changed since, unless it is told to", async () => {
    const { cwd, id, kept, kumiko } = await changed();
    writeFileSync(kept, "mine");
    const { code, stdout } = await kumiko("rewind", id, "--to", "2", "--files", "--yes");
    expect(code).toBe(1);
    expect(stdout).toMatch(/leave {5}kept\.txt: [^]*A file is as before[^]*Left as it is: kept\.txt[^]*--force/);
    expect(readFileSync(kept, "utf8")).toBe("mine");
    expect(existsSync(join(cwd, "new.txt"))).toBe(false);
    // Together with the conversation it would be the last time: then that stays too.
    const both = await kumiko("rewind", id, "--to", "2", "--yes");
    expect(both).toMatchObject({ code: 1, stdout: expect.stringContaining("The conversation stays") });
    expect((await kumiko("rewind", id)).stdout).toMatch(/change it/);
    expect((await kumiko("rewind", id, "--to", "2", "--files", "--force", "--yes")).code).toBe(0);
    expect([...readFileSync(kept)]).toEqual([0x61, 0x0d, 0x0a, 0x62]);
  });

  it("takes back the conversation alone: the model does not hear of it again, the files stay", async () => {
    const { cwd, id, kept, kumiko } = await changed();
    expect((await kumiko("rewind", id, "--to", "2", "--conversation", "--yes")).code).toBe(0);
    expect(readFileSync(kept, "utf8")).toBe("changed");
    const bodies: Array<string> = [];
    const server = await modelServer((_n, body) => {
      bodies.push(body);
      return { content: "fine" };
    });
    closing.push(server.close);
    expect((await kumiko("--resume", id, "-p", "go on", "--model", server.model, "--cwd", cwd)).code).toBe(0);
    expect(bodies[0]).toContain("hello");
    expect(bodies[0]).not.toContain("change it");
  });

  it("takes back a run that was killed on its way, so that nothing goes on; not one that is under way", async () => {
    const { kumiko, start } = home();
    const cwd = folder();
    const server = await modelServer((n) =>
      n === 0 ? { tool: "file_write", input: { path: "a.txt", content: "one" } } : undefined,
    );
    closing.push(server.close);
    const child = start("-p", "write it", "--cwd", cwd, "--model", server.model, "--mode", "accept-edits");
    const end = ended(child);
    await until(() => server.asked() === 2, "a second call of the model");
    const [id = ""] = (await kumiko("sessions", "list", "--cwd", cwd)).stdout.split(" ");
    expect((await kumiko("rewind", id, "--to", "1", "--yes")).code).toBe(7);
    child.kill("SIGKILL");
    await end;
    expect((await kumiko("rewind", id, "--to", "1", "--yes")).code).toBe(0);
    expect(existsSync(join(cwd, "a.txt"))).toBe(false);
    expect((await kumiko("--resume", id)).stderr).toMatch(/has nothing unfinished/);
    expect((await kumiko("rewind", id, "--to", "1", "--files", "--both")).stderr).toMatch(/exclude one another/);
  });
});
