import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, folder, shellLine } from "./support.ts";

afterEach(cleanUp);

const parts = `
- name: count
  when: [count]
  steps:
    - say: "{% for n in (1..2000) %}line {{ n }}\\n{% endfor %}"
  otherwise: never
`;

/** A pipeline, by a shell: what came out of it, and the codes of its parts. */
const pipeline = (line: string, home: string): Promise<{ readonly stdout: string; readonly stderr: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", `${line}; echo "codes \${PIPESTATUS[*]}"`], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: home, XDG_STATE_HOME: join(home, "state") },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data) => (stdout += String(data)));
    child.stderr.on("data", (data) => (stderr += String(data)));
    child.on("error", reject);
    child.on("close", () => resolve({ stdout, stderr }));
  });

describe("in a pipe", () => {
  const prepared = () => {
    const home = folder();
    const file = join(home, "parts.yaml");
    writeFileSync(file, parts);
    const call = (prompt: string): string => shellLine(["-p", prompt, "--rehearsal", file, "--cwd", home]);
    return { home, call };
  };

  it("ends quietly when its reader has enough", async () => {
    const { call, home } = prepared();
    const { stderr, stdout } = await pipeline(`${call("count")} | head -1`, home);
    expect(stdout).toMatch(/^line 1\ncodes (?:0|141) 0\n$/);
    expect(stderr).toBe("");
  });

  it("writes the answer and nothing else into a file", async () => {
    const { call, home } = prepared();
    const { stderr, stdout } = await pipeline(
      `${call("count")} > answer.txt`.replace("answer.txt", `'${home}/answer.txt'`),
      home,
    );
    expect({ stderr, stdout }).toEqual({ stderr: "", stdout: "codes 0\n" });
    const answer = readFileSync(join(home, "answer.txt"), "utf8");
    expect(answer).toMatch(/^line 1\nline 2\n[^]*line 2000\n/);
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(answer).not.toMatch(/[\u001B\r]/);
  });

  it("reads a prompt from standard input, and none where there is nothing", async () => {
    const { call, home } = prepared();
    const piped = await pipeline(`echo count | ${call("-")}`, home);
    expect(piped.stdout).toMatch(/^line 1\n[^]*line 2000\n[^]*codes 0 0\n$/);
    const empty = await pipeline(`${call("-")} < /dev/null`, home);
    expect(empty.stdout).toBe("codes 2\n");
    expect(empty.stderr).toMatch(/^kumiko: .*empty/);
    const unread = await pipeline(`${call("count")} < /dev/null`, home);
    expect(unread.stdout).toMatch(/line 2000\n[^]*codes 0\n$/);
    expect(unread.stderr).toBe("");
  });
});
