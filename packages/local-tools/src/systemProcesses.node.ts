import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ToolFailed } from "@kumiko/plugin-api";
import { errorCode } from "./fileFailure.ts";

const maxLines = 200;
const maxBytes = 4 * 1024 * 1024;
const maxMillis = 10_000;

/**
 * The processes of this machine, those that use most memory first: number, parent, user, memory, time, program. Arguments
 * are left out: they may hold secrets.
 */
export const systemLines = async (): Promise<string> => {
  const lines = (await output(["ps", "-Ao", "pid,ppid,user,rss,etime,comm"])).trimEnd().split("\n");
  const [head = "", ...rows] = lines;
  const sorted = rows.toSorted((a, b) => memoryOf(b) - memoryOf(a));
  return bounded([head, ...sorted]);
};

/** The ports that are listened on, with the program where the system tells. */
export const portLines = async (): Promise<string> => {
  for (const [program, ...args] of [
    ["ss", "-Hltnp"],
    ["lsof", "-nP", "-iTCP", "-sTCP:LISTEN"],
    ["netstat", "-ltn"],
  ] as const) {
    const text = await outputOrNothing(program, args);
    if (text !== undefined) return text.trim() === "" ? "(nothing listens)" : bounded(text.trimEnd().split("\n"));
  }
  throw new ToolFailed({ kind: "failed", detail: "this machine has neither ss nor lsof nor netstat." });
};

const memoryOf = (row: string): number => Number(row.trim().split(/\s+/)[3] ?? 0) || 0;

const bounded = (lines: ReadonlyArray<string>): string => {
  const more = lines.length - maxLines;
  return [...lines.slice(0, maxLines).map(printable), ...(more > 0 ? [`(${more} more not shown)`] : [])].join("\n");
};

// A program may call itself anything.
const printable = (line: string): string => line.replaceAll(/\p{Cc}/gu, "\ufffd").slice(0, 300);

const output = async ([program = "", ...args]: ReadonlyArray<string>): Promise<string> => {
  const text = await outputOrNothing(program, args);
  if (text === undefined) throw new ToolFailed({ kind: "failed", detail: `this machine has no ${program}.` });
  return text;
};

const outputOrNothing = async (program: string, args: ReadonlyArray<string>): Promise<string | undefined> => {
  try {
    const { stdout } = await promisify(execFile)(program, [...args], { maxBuffer: maxBytes, timeout: maxMillis });
    return stdout;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    // lsof ends with 1 where it finds nothing.
    if (typeof error === "object" && error !== null && "stdout" in error && typeof error.stdout === "string")
      return error.stdout;
    throw error;
  }
};
