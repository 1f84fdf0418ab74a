import { homedir } from "node:os";
import type { ListedSession } from "./SessionIndex.ts";

/** How a session stands, in a word or two. */
export const standing = ({ isInUse, isPaused, status }: ListedSession): string => {
  if (isInUse) return "in use";
  switch (status) {
    case "waiting":
      return "waits for an answer";
    case "suspended":
    case "unfinished":
      return isPaused ? "paused" : "unfinished";
    case "force-stopped":
      return "stopped";
    default:
      return status;
  }
};

/** A folder as people write it. */
export const shortFolder = (path: string | null, width = 40): string => {
  if (path === null) return "?";
  const home = homedir();
  const text = path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  return text.length <= width ? text : `…${text.slice(text.length - width + 1)}`;
};

/** `2026-11-30 21:39`, by the clock on the wall. */
export const when = (time: number): string => {
  const date = new Date(time);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

/** What a call was given, on one line. */
export const inputLine = (input: unknown): string =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? Object.entries(input)
        .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
        .join(" ")
    : (JSON.stringify(input) ?? "");
