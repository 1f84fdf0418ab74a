import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where `kumiko` keeps what outlives it: sessions, the audit log. */
export const stateFolder = (): string =>
  join(resolve(process.env["XDG_STATE_HOME"] || join(homedir(), ".local", "state")), "kumiko");

export const sessionsFolder = (): string => join(stateFolder(), "sessions");
