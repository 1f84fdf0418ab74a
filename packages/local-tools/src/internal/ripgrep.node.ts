import { spawn } from "node:child_process";
import { isAbsolute, delimiter, join } from "node:path";
import { access, constants } from "node:fs/promises";

/** Output is a list of the files that were given: it cannot be longer than this many times them. */
const maxMillis = 60_000;

/** What {@link filesHolding} looks for, and where. */
export interface TextSearch {
  readonly program: string;
  readonly texts: ReadonlyArray<string>;
  readonly ignoreCase: boolean;
  readonly folder: string;
  /** Relative to the folder; or all files below it, but those that `walk` would pass over. */
  readonly where: ReadonlyArray<string> | Below;
}

/** Whether the rules of the folders above count as well. */
export interface Below {
  readonly hasRulesAbove: boolean;
}

/** The ripgrep that came with this package, or else one on the search path. */
export const findRipgrep = (): Promise<string | undefined> => (found ??= look());

let found: Promise<string | undefined> | undefined;

const look = async (): Promise<string | undefined> => {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    // Not installed, or not for this machine.
  }
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const program = join(folder, process.platform === "win32" ? "rg.exe" : "rg");
    // A relative folder would be the project's.
    if (isAbsolute(folder) && (await isProgram(program))) return program;
  }
  return undefined;
};

const isProgram = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * The files that hold one of some texts, as ripgrep finds them: bytes as they are, whatever they mean; and those it could
 * not read. Undefined: it failed, or was stopped.
 */
export const filesHolding = (search: TextSearch, signal: AbortSignal): Promise<ReadonlySet<string> | undefined> => {
  const { folder, ignoreCase, program, texts, where } = search;
  const options = [
    "--no-config",
    "--no-unicode",
    "--files-with-matches",
    "--null",
    "--text",
    "--encoding=none",
    "--no-mmap",
  ];
  const patterns = [
    "--fixed-strings",
    ...(ignoreCase ? ["--ignore-case"] : []),
    ...texts.map((text) => `--regexp=${text}`),
  ];
  const places = "hasRulesAbove" in where ? ["./"] : where.map((path) => `./${path}`);
  return new Promise((resolve) => {
    const pieces: Array<Buffer> = [];
    // A name such as "-" means something else to it than a file.
    const child = spawn(program, [...options, ...rulesOf(where), ...patterns, "--", ...places], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      signal,
      timeout: maxMillis,
      killSignal: "SIGKILL",
    });
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    let problems = "";
    child.stderr.on("data", (piece: Buffer) => {
      problems = (problems + piece.toString("utf8")).slice(0, maxProblemCharacters);
    });
    child.once("error", () => resolve(undefined));
    child.once("close", (code) => {
      const unread = code === 0 || code === 1 ? [] : unreadIn(problems);
      if (unread === undefined || (code ?? 3) > 2) return resolve(undefined);
      const names = Buffer.concat(pieces).toString("utf8").split("\0");
      resolve(new Set([...unread, ...names.filter((name) => name !== "").map((name) => name.replace(/^\.\//, ""))]));
    });
  });
};

const maxProblemCharacters = 65_536;

// The files that ripgrep could not read: whoever asks has to look at them. Undefined: there was something else as well.
const unreadIn = (problems: string): ReadonlyArray<string> | undefined => {
  if (problems === "" || problems.length === maxProblemCharacters) return undefined;
  const found = problems
    .trimEnd()
    .split("\n")
    .map((line) => /^rg: \.\/(.*): (?:Permission denied|No such file or directory) \(os error \d+\)$/.exec(line)?.[1]);
  return found.every((path) => path !== undefined) ? found : undefined;
};

const rulesOf = (where: TextSearch["where"]): ReadonlyArray<string> =>
  "hasRulesAbove" in where
    ? [
        "--hidden",
        "--no-require-git",
        "--no-ignore-global",
        "--no-ignore-dot",
        ...(where.hasRulesAbove ? [] : ["--no-ignore-parent"]),
        "--glob=!.git",
        "--glob=!node_modules",
      ]
    : ["--no-ignore"];
