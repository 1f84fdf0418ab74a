import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modelServer } from "@kumiko/models/testing";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, ended, folder, start, until } from "./support.ts";
import { closeTerminals, hasTmux, openKumiko, type Terminal } from "./tmux.ts";

afterEach(() => {
  closeTerminals();
  cleanUp();
});

const parts = `
- name: fix
  when: [fix]
  steps:
    - say: I read it first.
      call: { tool: file_read, input: { path: a.txt } }
    - say: I change it.
      call: { tool: file_edit, input: { path: a.txt, edits: [{ old: two, new: "zwei\\nand a half" }] } }
    - say: a.txt is changed.
  otherwise: "I left it as it was: {{ failed.text }}"
- name: deploy
  when: [deploy]
  steps:
    - call: { tool: bash, input: { command: npm run deploy } }
    - say: It is deployed.
  otherwise: "Not deployed: {{ failed.text }}"
- name: wait
  when: [wait]
  steps:
    - say: I wait for the file.
      call: { tool: bash, input: { command: "until [ -e go ]; do sleep 0.05; done; seq 1 20" } }
    - say: The file has come.
  otherwise: "No file: {{ failed.text }}"
- name: greet
  when: [greet]
  steps:
    - say: |
        # Greeting
        Hello, hello and once more hello to everybody who reads this rather long line of text.
        - one
  otherwise: never
`;

const workspace = (): { readonly cwd: string; readonly args: ReadonlyArray<string> } => {
  const cwd = folder();
  writeFileSync(join(cwd, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(cwd, "package.json"), '{"scripts":{"deploy":"echo deployed >> log"}}');
  const file = join(folder(), "parts.yaml");
  writeFileSync(file, parts);
  return { cwd, args: ["--rehearsal", file] };
};
const escape = "\u001B";
const count = (text: string, pattern: RegExp): number =>
  text.match(new RegExp(pattern, `${pattern.flags}g`))?.length ?? 0;

// As a shell has it, and nothing is left that was switched on: a paste comes without its marks.
const expectCooked = async (terminal: Terminal): Promise<void> => {
  terminal.say("clear; stty -a | grep -o -- '-*icanon\\|-*echo '; echo code $?");
  expect(await terminal.sees(/^icanon/m)).not.toMatch(/-icanon|-echo /);
  expect(terminal.run("display-message", "-p", "#{cursor_flag} #{alternate_on} #{bracket_paste_flag}").trim()).toMatch(
    /^1 0/,
  );
};

describe.runIf(hasTmux)("a conversation at a terminal", () => {
  it("shows the difference before an edit, makes it on y, and folds what was looked at", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(args, { cwd });
    terminal.say("fix it");
    const asked = await terminal.sees(/\[y\] yes, once {2}\[s\] this session {2}\[a\] always {2}\[n\] no/);
    expect(asked).toMatch(/✓ file_read a\.txt/);
    expect(asked).toMatch(/a\.txt \(\+2 −1\)\n.*\n {3}one\n {2}-two\n {2}\+zwei\n {2}\+and a half\n {3}three/);
    expect(asked).toMatch(/s and a allow: file_edit\(a\.txt\)/);
    await terminal.answer("y");
    const done = await terminal.sees(/a\.txt is changed\./);
    expect(done).toMatch(/✓ file_edit a\.txt/);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\nzwei\nand a half\nthree\n");
    expect(existsSync(join(terminal.home, "config"))).toBe(false);
  });

  it("gives the model the reason of a refusal, and takes nothing that was typed ahead for an answer", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(args, { cwd });
    // The y and the line behind it are sent while the question comes up.
    terminal.say("fix it");
    terminal.type("yyy and more");
    await terminal.sees(/\[y\] yes, once/);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    await terminal.answer("x");
    await terminal.sees(/one key answers; b takes a reason/);
    await terminal.answer("b");
    await terminal.sees(/no, because:/);
    terminal.say("it is Friday");
    const screen = await terminal.sees(/I left it as it was/);
    expect(screen).toMatch(/because: it is\s+Friday/);
    expect(screen).toMatch(/✗ file_edit/);
    // What was being written is there again.
    expect(screen).toMatch(/> yyy and more/);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("allows for the session on s, and no other call by it", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(args, { cwd });
    terminal.say("deploy");
    expect(await terminal.sees(/\[s\] this session/)).toMatch(/s and a allow: npm run deploy\n/);
    await terminal.answer("s");
    await terminal.sees(/It is deployed\./);
    terminal.say("please deploy again");
    await terminal.sees(/It is deployed\.[^]*It is deployed\./);
    expect(count(terminal.screen(), /wants|\? bash/)).toBe(1);
    expect(readFileSync(join(cwd, "log"), "utf8")).toBe("deployed\ndeployed\n");
    terminal.say("fix it");
    await terminal.sees(/\? file_edit/);
    await terminal.answer("n");
    await terminal.sees(/I left it as it was/);
    // A new session has been allowed nothing.
    terminal.say("/clear");
    terminal.say("deploy");
    await terminal.sees(/\? bash[^]*\? bash/);
  });

  it("writes what is always allowed into the user's own file, shown before, and does not ask again in that folder", async () => {
    const { args, cwd } = workspace();
    const home = folder();
    mkdirSync(join(home, "config", "kumiko"), { recursive: true });
    const file = join(home, "config", "kumiko", "config.yaml");
    writeFileSync(file, "# mine\nmaxTurns: 50 # enough\n", { mode: 0o600 });
    const terminal = await openKumiko(args, { cwd, home });
    terminal.say("deploy");
    expect((await terminal.sees(/\[a\] always/)).replaceAll(/\s+/g, "")).toContain("awritesthatto");
    await terminal.answer("a");
    await terminal.sees(/It is deployed\./);
    expect(readFileSync(file, "utf8")).toBe(
      `# mine\nmaxTurns: 50 # enough\nfolders:\n  ${cwd}:\n    permissions:\n      allow:\n        - npm run deploy\n`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    terminal.press("C-d");
    await terminal.sees(/goes on\n[$#]/);
    const later = await openKumiko(args, { cwd, home });
    later.say("deploy");
    expect(await later.sees(/It is deployed\./)).not.toMatch(/\[y\]/);
    const elsewhere = await openKumiko(args, { cwd: folder(), home });
    elsewhere.say("deploy");
    await elsewhere.sees(/\[y\] yes, once/);
  });

  it("ends the run on Ctrl-C and says what is done, stays, and resumes later with what was said", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(args, { cwd });
    terminal.say("wait");
    await terminal.answer("y");
    await terminal.sees(/• bash/);
    terminal.press("C-c");
    await terminal.sees(/stopped: no call was done, 1 cancelled/);
    terminal.say("greet");
    await terminal.sees(/Hello, hello[^]*asked\.\)/);
    terminal.press("C-d");
    const [, id = ""] = /kumiko --resume (\S+) goes on/.exec(await terminal.sees(/goes on\n[$#]/)) ?? [];
    const again = await openKumiko(["--resume", id, ...args], { cwd, home: terminal.home });
    const screen = await again.sees(/> greet/);
    expect(screen).toMatch(new RegExp(`Session ${id}`));
    expect(screen).toMatch(/> wait[^]*> greet[^]*Hello, hello/);
    again.say("fix it");
    await again.answer("n");
    await again.sees(/I left it as it was/);
    again.press("C-c");
    again.press("C-c");
    await again.sees(/goes on\n[$#]/);
    again.say("echo code $?");
    await again.sees(/code 130/);
  });

  it("asks again what was asked when the process was killed", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(args, { cwd });
    terminal.say("fix it");
    await terminal.sees(/\[y\] yes, once/);
    const pid = terminal.run("list-panes", "-F", "#{pane_pid}").trim();
    terminal.run("kill-server");
    await until(() => !existsSync(`/proc/${pid}`), "the end of the terminal");
    const again = await openKumiko(["-c", ...args], { cwd, home: terminal.home });
    await again.answer("y");
    await again.sees(/a\.txt is changed\./);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\nzwei\nand a half\nthree\n");
  });

  it("gives messages to the run under way, keeps follow-ups for afterwards, and takes the last one back", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(args, { cwd });
    terminal.say("wait");
    await terminal.answer("y");
    await terminal.sees(/• bash until/);
    terminal.say("mind the gap");
    await terminal.sees(/> mind the gap/);
    terminal.type("greet");
    terminal.press("M-Enter");
    terminal.type("never mind");
    terminal.press("M-Enter");
    await terminal.sees(/↳ afterwards: greet\n↳ afterwards: never mind/);
    terminal.press("Up");
    const queued = await terminal.sees(/> never mind/);
    expect(queued).not.toMatch(/afterwards: never mind/);
    terminal.press("C-c");
    await terminal.sees(/afterwards: greet\n>\n/);
    writeFileSync(join(cwd, "go"), "");
    const screen = await terminal.sees(/The file has come\.[^]*> greet[^]*# Greeting/);
    expect(screen).toMatch(/✓ bash until[^]*… 17 more lines \(Ctrl-O\)\n {2}18|… 1\d more lines \(Ctrl-O\)/);
    terminal.press("C-o");
    await terminal.sees(/gave:\n {2}1\n {2}2\n {2}3/);
    terminal.press("C-d");
    const [, id = ""] = /kumiko --resume (\S+) goes on/.exec(await terminal.sees(/goes on\n[$#]/)) ?? [];
    const env = { HOME: terminal.home, XDG_STATE_HOME: join(terminal.home, "state") };
    const { stdout } = await ended(start(["sessions", "show", id], env));
    expect(stdout).toMatch(/> wait[^]*> mind the gap[^]*The file has come/);
  });

  it("runs a command of the user's through the gate and puts it into the conversation; what is forbidden stays so", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko([...args, "--deny", "git push*"], { cwd });
    terminal.say("!npm run deploy && cat log");
    await terminal.sees(/✓ bash npm run deploy && cat log[^]*deployed\n[^]*\n>\n/);
    terminal.say("!rm -rf /");
    // What a model is told of a refusal holds advice that is not for people.
    expect(await terminal.sees(/✗ bash rm -rf \/ · refused\n {2}it deletes everything below \//)).not.toMatch(
      /This call was refused|Do not try/,
    );
    terminal.say("!ls no-such-file");
    await terminal.sees(/✗ bash ls no-such-file · exit code 2/);
    terminal.say("!git push origin");
    await terminal.sees(/✗ bash git push origin · refused/);
    terminal.press("C-d");
    const [, id = ""] = /kumiko --resume (\S+) goes on/.exec(await terminal.sees(/goes on\n[$#]/)) ?? [];
    const env = { HOME: terminal.home, XDG_STATE_HOME: join(terminal.home, "state") };
    const { stdout } = await ended(start(["sessions", "export", id, "--format", "json"], env));
    expect(JSON.parse(stdout).messages).toContainEqual(
      expect.objectContaining({
        role: "tool",
        parts: [expect.objectContaining({ status: "ok", text: expect.stringContaining("deployed") })],
      }),
    );
  });

  it("answers slash commands, completes them and paths, and knows what was meant", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(args, { cwd, columns: 100, rows: 60 });
    terminal.type("/perm");
    terminal.press("Tab");
    await terminal.sees(/> \/permissions/);
    terminal.press("Enter");
    await terminal.sees(/Mode: ask/);
    for (const [typed, seen] of [
      ["/mdoe", /Did you mean \/mode\?/],
      ["/mode plan", /plan mode from the next prompt on: read only/],
      ["/model", /rehearsal: a prepared part/],
      ["/compact", /this build has no part for that yet/],
      ["/hooks", /there are no hooks/],
      ["/todo", /keeps no todo list/],
      ["/context", /Before the conversation, in estimated tokens:[^]*together/],
      ["/cost", /Here: 0 tokens in/],
      ["/rewind", /nothing has been said yet/],
      ["/resume", /there is no other session/],
      ["/help", /\/rewind \[run\][^]*Ctrl-R/],
      ["/expand", /there is no call to show yet/],
    ] as const) {
      terminal.say(typed);
      await terminal.sees(seen);
    }
    terminal.say("fix it");
    await terminal.sees(/in plan mode/);
    terminal.say("/rewind 1 conversation");
    await terminal.sees(/Take this back\?/);
    terminal.say("y");
    await terminal.sees(/ends before run 1 now/);
    terminal.type("look at @a");
    terminal.press("Tab");
    await terminal.sees(/> look at @a\.txt/);
    terminal.press("C-c");
    terminal.say("greet @a.txt");
    await terminal.sees(/a\.txt is put in \(4 lines\)/);
    terminal.say("/quit");
    await terminal.sees(/goes on\n[$#]/);
  });

  it("keeps its prompt below all that it writes in a window that becomes narrower and wider meanwhile", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(args, { cwd, columns: 60, rows: 20 });
    for (const columns of [24, 60, 20, 90, 20]) {
      terminal.say("greet");
      terminal.resize(columns, 16);
      await terminal.sees(/\n>\n/);
    }
    await terminal.sees(/(?:# Greeting[^]*){5}/);
    terminal.say("greet in a prompt that is longer than the window is wide");
    await terminal.sees(/(?:# Greeting[^]*){6}\n>\n[^\n]+\n*$/);
    const screen = terminal.screen();
    // Of a picture that was drawn in the moment of a resize, rows may be left above: never a call that seems under way.
    expect(screen.trimEnd().split("\n").slice(-3).join("\n")).not.toMatch(/^• thinking/m);
    expect(Math.max(...screen.split("\n").map((line) => line.length))).toBeLessThanOrEqual(90);
  });

  it("takes a paste of several lines as it is, and lines that are broken by hand", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(args, { cwd });
    terminal.run("set-buffer", "one\ntwo\n");
    terminal.run("paste-buffer", "-p", "-r");
    await terminal.sees(/> one\n {2}two\n/);
    terminal.press("C-c");
    await terminal.sees(/\n>\n/);
    terminal.press("C-c");
    await terminal.sees(/Ctrl-C again quits/);
    terminal.type("greet\\");
    terminal.press("Enter");
    terminal.type("us");
    terminal.press("Enter");
    await terminal.sees(/> greet\n {2}us\n[^]*Hello, hello/);
  });

  it("gives the terminal back on every end, and goes on after Ctrl-Z", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(args, { cwd });
    terminal.press("C-z");
    await terminal.sees(/Stopped[^]*[$#]$/m);
    terminal.say("stty -a | grep -o -- '-*icanon'");
    await terminal.sees(/^icanon/m);
    terminal.say("fg");
    await terminal.sees(/>\n.*mode/);
    terminal.say("greet");
    await terminal.sees(/Hello, hello/);
    terminal.press("C-d");
    await terminal.sees(/goes on\n[$#]/);
    await expectCooked(terminal);
  });

  it.each(["SIGTERM", "SIGHUP"] as const)("gives the terminal back on %s, with an open question", async (signal) => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(args, { cwd });
    terminal.say("fix it");
    await terminal.sees(/\[y\] yes, once/);
    const shell = terminal.run("list-panes", "-F", "#{pane_pid}").trim();
    const child = readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8").trim();
    process.kill(Number(child), signal);
    await terminal.sees(/goes on\n[$#]/);
    await expectCooked(terminal);
  });

  it("breaks no word of the keys that answer in a narrow window", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(args, { cwd, columns: 30 });
    terminal.say("fix it");
    const screen = await terminal.sees(/\[b\] no, because …/);
    expect(screen).toMatch(/^\[y\] yes, once\n\[s\] this session {2}\[a\] always\n\[n\] no {2}\[b\] no, because …$/m);
  });

  it("shows the model images that are named or dropped on it, and says what it cannot show", async () => {
    const { cwd } = workspace();
    const png = Buffer.from(`\u0089PNG\r\n\u001a\n${"x".repeat(3000)}`, "latin1");
    writeFileSync(join(cwd, "shot 1"), png);
    writeFileSync(join(cwd, "large.png"), Buffer.concat([png, Buffer.alloc(4_000_000)]));
    await using server = await modelServer({
      script: [{ text: "A shot." }, { text: "Too large." }, { text: "Again." }],
    });
    const terminal = await openKumiko(["--model", `${server.baseUrl}#a`], { cwd, columns: 120 });
    terminal.say('what is @"shot 1" about?');
    await terminal.sees(/shot 1 is shown to the model \(PNG image, 3 kB\)[^]*A shot\./);
    terminal.say("and @large.png?");
    await terminal.sees(/large\.png is PNG image of 4\.0 MB, larger than the 3\.5 MB[^]*Too large\./);
    terminal.say(`'${join(cwd, "shot 1")}'`);
    await terminal.sees(/shot 1 is shown to the model[^]*shot 1 is shown to the model[^]*Again\./);
    const sent = server.asked.map(({ body }) => JSON.stringify(body).split(png.toString("base64")).length - 1);
    expect(sent).toEqual([1, 1, 2]);
  });

  it("says what helps where the model cannot be asked, and goes on with another one", async () => {
    const { cwd } = workspace();
    await using server = await modelServer({ script: [{ text: "Hello." }], faults: ["status-401"] });
    const terminal = await openKumiko(["--model", `${server.baseUrl}#a`], { cwd });
    terminal.say("hi");
    await terminal.sees(/the run failed after[^]*KUMIKO_API_KEY/);
    terminal.say("/model rehearsal");
    await terminal.sees(/rehearsal\S* is asked from the next prompt on/);
    terminal.say("What can you do?");
    await terminal.sees(/I am Kumiko/);
  });

  it("shows no colours with NO_COLOR, and control codes of nobody else", async () => {
    const { args, cwd } = workspace();
    const coloured = await openKumiko(args, { cwd });
    coloured.say("fix it");
    await coloured.sees(/\[y\] yes, once/);
    expect(coloured.screen(true)).toContain(`${escape}[32m`);
    const plain = await openKumiko(args, { cwd, env: { NO_COLOR: "1" } });
    plain.say("fix it");
    await plain.sees(/\[y\] yes, once/);
    expect(plain.screen(true)).not.toContain(`${escape}[`);
  });

  it("speaks in plain words with --plain: no redrawing, no marks, answers by letter and Enter", async () => {
    const { args, cwd } = workspace();
    const terminal = await openKumiko(["--plain", ...args], { cwd: cwd, columns: 100 });
    terminal.say("fix it");
    await terminal.sees(/Answer with a letter, and Enter: \[y\] yes, once/);
    await new Promise((resolve) => setTimeout(resolve, 400));
    terminal.say("what");
    await terminal.sees(/A reason follows the b/);
    terminal.say("b not on a Friday");
    const screen = await terminal.sees(/I left it as it was/);
    expect(screen).toMatch(/refused: file_edit/);
    expect(screen).toMatch(/done: file_read a\.txt/);
    expect(screen).not.toMatch(/[✓✗•│]/);
    terminal.say("/mdoe");
    await terminal.sees(/Did you mean \/mode\?/);
    terminal.press("C-d");
    await terminal.sees(/goes on\n[$#]/);
  });
});

describe("without a terminal", () => {
  it("and without -p says what to do", async () => {
    const { code, stderr } = await ended(start([]));
    expect(code).toBe(2);
    expect(stderr).toMatch(/there is nothing to do: give a prompt with -p/);
  });
});
