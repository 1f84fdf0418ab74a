import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { folder, shellLine } from "./support.ts";

/** Whether terminals can be driven here. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

const servers = new Set<string>();
let count = 0;
/** How often a screen is looked at before it counts as wrong. */
const mostLooks = 200;

/** Ends every terminal that was opened. */
export const closeTerminals = (): void => {
  for (const server of servers) spawnSync("tmux", ["-L", server, "kill-server"]);
  servers.clear();
};

export interface Terminal {
  /** Types text as it is. */
  readonly type: (text: string) => void;
  /** Presses keys by tmux's names: `Enter`, `C-c`, `M-Enter`. */
  readonly press: (...keys: ReadonlyArray<string>) => void;
  /** Text and Enter. */
  readonly say: (text: string) => void;
  /** What can be seen, and what has scrolled away; with `isRaw`, with its colours. */
  readonly screen: (isRaw?: boolean) => string;
  /** Waits until the screen matches. */
  readonly sees: (pattern: RegExp) => Promise<string>;
  /** Presses a key at a question once the pause is over that keeps typed ahead keys away. */
  readonly answer: (key: string) => Promise<void>;
  readonly resize: (columns: number, rows: number) => void;
  readonly run: (...args: ReadonlyArray<string>) => string;
}

/** A shell in a terminal of its own; what it is to run is typed by the test. */
export const openTerminal = (options: {
  readonly cwd: string;
  readonly home: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}): Terminal => {
  const { columns = 80, cwd, env = {}, home, rows = 40 } = options;
  const server = `kumiko-test-${process.pid}-${count++}`;
  servers.add(server);
  const run = (...args: ReadonlyArray<string>): string =>
    execFileSync("tmux", ["-L", server, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: home, LANG: "C.UTF-8", TERM: "xterm-256color" },
    });
  const variables = {
    HOME: home,
    XDG_STATE_HOME: join(home, "state"),
    XDG_CONFIG_HOME: join(home, "config"),
    ...env,
  };
  const set = Object.entries(variables).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  run("-u", "new-session", "-d", "-x", String(columns), "-y", String(rows), ...set, "-c", cwd, "sh");
  const screen = (isRaw = false): string =>
    run("capture-pane", "-p", "-S", "-500", ...(isRaw ? ["-e"] : [])).replaceAll(/ +$/gm, "");
  const press = (...keys: ReadonlyArray<string>): void => void run("send-keys", ...keys);
  const type = (text: string): void => void run("send-keys", "-l", text);
  const sees = async (pattern: RegExp): Promise<string> => {
    let last = "";
    for (let n = 0; n < mostLooks; n++) {
      last = screen();
      if (pattern.test(last)) return last;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${pattern} never came to be on the screen; there is:\n${last}`);
  };
  return {
    type,
    press,
    say: (text) => {
      type(text);
      press("Enter");
    },
    screen,
    sees,
    answer: async (key) => {
      await sees(/\[y\] yes, once/);
      await new Promise((resolve) => setTimeout(resolve, 500));
      press(key);
    },
    resize: (width, height) => void run("resize-window", "-x", String(width), "-y", String(height)),
    run,
  };
};

/** A terminal in which kumiko has been called. */
export const openKumiko = async (
  args: ReadonlyArray<string>,
  options: Partial<Parameters<typeof openTerminal>[0]> & { readonly cwd: string },
): Promise<Terminal & { readonly home: string }> => {
  const home = options.home ?? folder();
  const terminal = openTerminal({ ...options, home });
  terminal.say(`clear; ${shellLine(args)}`);
  await terminal.sees(/kumiko in/);
  return { ...terminal, home };
};
