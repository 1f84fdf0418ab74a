import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { access, constants, statfs } from "node:fs/promises";
import { promisify } from "node:util";
import { modelOverview } from "@kumiko/models";
import * as Effect from "effect/Effect";
import { configFiles } from "../config/configFiles.ts";
import { ignoredLines } from "../config/configLines.ts";
import { readConfig } from "../config/readConfig.ts";
import { messageOf } from "../messageOf.ts";
import { modelSettingsFile, readModelSettings } from "../modelSettings.ts";
import { withSessions } from "../sessions/findSession.ts";
import { listSessions } from "../sessions/SessionIndex.ts";
import { sessionsFolder, stateFolder } from "../stateFolder.ts";
import { type Finding, ok, problem, warning } from "./Check.ts";
import { makeFolder } from "@kumiko/local-tools";

/** A program that does not tell its version by then hangs. */
const patienceMillis = 3_000;
/** A session of a long job has some ten megabytes. */
const leastFreeBytes = 200 * 1024 * 1024;

/** Node.js itself: the oldest that everything here was made for. */
export const nodeCheck = (version: string): Finding => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 15)
    ? ok("Node.js", version)
    : problem("Node.js", `${version} is older than 24.15`, "install a newer Node.js: https://nodejs.org");
};

export const settingsCheck = Effect.fnUntraced(function* (cwd: string): Effect.fn.Return<ReadonlyArray<Finding>> {
  const name = "settings";
  return yield* Effect.matchEager(Effect.zip(readConfig(cwd), readModelSettings), {
    onFailure: ({ detail }) => [
      problem(name, detail, "mend that line, or move the file away; kumiko config where lists the files"),
    ],
    onSuccess: ([{ ignored }]) => [
      ok(
        name,
        existsSync(configFiles(cwd).user)
          ? configFiles(cwd).user
          : `the defaults: there is no ${configFiles(cwd).user}`,
      ),
      ...ignoredLines(ignored).map((line) => warning(name, line, "set in your own file what you want of it")),
    ],
  });
});

export const stateCheck = Effect.promise(async (): Promise<Finding> => {
  const folder = stateFolder();
  const name = "state folder";
  try {
    makeFolder(folder, 0o700);
    await access(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    return free < leastFreeBytes
      ? problem(
          name,
          `${folder}: only ${Math.round(free / 1024 / 1024)} MB are free`,
          "make room, or set XDG_STATE_HOME",
        )
      : ok(name, `${folder}, ${Math.round(free / 1024 / 1024 / 1024)} GB free`);
  } catch (error) {
    return problem(name, `${folder}: ${messageOf(error)}`, "set XDG_STATE_HOME to a folder that you can write");
  }
});

export const sessionsCheck: Effect.Effect<Finding> = Effect.gen(function* () {
  const name = "sessions";
  const sessions = yield* withSessions(listSessions(sessionsFolder()));
  const bad = sessions.filter(({ status }) => status === "unreadable");
  const [first] = bad;
  return first === undefined
    ? ok(name, `${sessions.length} kept`)
    : warning(
        name,
        `${bad.length} of ${sessions.length} cannot be read, ${first.id} for one`,
        `kumiko --resume ${first.id} mends what can be mended`,
      );
}).pipe(Effect.catch((error) => Effect.succeed(problem("sessions", error.message, "see the state folder above"))));

export const modelCheck: Effect.Effect<Finding> = Effect.matchEager(readModelSettings, {
  // Said with the settings.
  onFailure: () => warning("model", "not known while the settings cannot be read", "mend them first"),
  onSuccess: (settings) => {
    const { chosen, providers } = modelOverview(process.env, settings);
    const keys = providers.flatMap(({ accounts }) => accounts.flatMap(({ keyVariable }) => keyVariable ?? []));
    return keys.length > 0
      ? ok("model", `${chosen}; keys from ${[...new Set(keys)].join(", ")}`)
      : warning(
          "model",
          `no key is set, so ${chosen} answers`,
          `set the key of a provider (kumiko models lists them), or name a model of this machine: --model ollama/<name>; see ${modelSettingsFile()}`,
        );
  },
});

/** Whether a model server of this machine answers. Nothing but the loopback is asked. */
export const ollamaCheck = Effect.promise(async (): Promise<Finding> => {
  try {
    const response = await fetch("http://127.0.0.1:11434/api/version", { signal: AbortSignal.timeout(500) });
    await response.body?.cancel();
    return ok("ollama", "answers at 127.0.0.1:11434: --model ollama/<name>");
  } catch {
    return ok("ollama", "is not running, and need not be");
  }
});

const run = promisify(execFile);

/** A program that tools use: found by asking it for its version. */
export const programCheck = (
  program: string,
  missing: { readonly isNeeded: boolean; readonly effect: string; readonly help: string },
): Effect.Effect<Finding> =>
  Effect.promise(async () => {
    try {
      const { stdout } = await run(program, ["--version"], { timeout: patienceMillis, maxBuffer: 64 * 1024 });
      return ok(program, (stdout.split("\n", 1)[0] ?? "").slice(0, 100));
    } catch (error) {
      const isThere = !(error instanceof Error && "code" in error && error.code === "ENOENT");
      const detail = isThere
        ? `does not work: ${messageOf(error).split("\n", 1)[0]}`
        : `is not there: ${missing.effect}`;
      return (missing.isNeeded ? problem : warning)(program, detail, missing.help);
    }
  });

/** What comes with the program where the machine has it: the native parts that searches and terminals use. */
export const partCheck = (
  name: string,
  load: () => Promise<unknown>,
  missing: { readonly effect: string; readonly help: string },
): Effect.Effect<Finding> =>
  Effect.promise(async () => {
    try {
      await load();
      return ok(name, "is there");
    } catch {
      return warning(name, `is not there: ${missing.effect}`, missing.help);
    }
  });

/** The terminal, as far as lines for people go. */
export const terminalCheck = (
  environment: Readonly<Record<string, string | undefined>>,
  { columns, isTTY }: { readonly columns: number; readonly isTTY: boolean },
): Finding => {
  const locale = environment["LC_ALL"] || environment["LC_CTYPE"] || environment["LANG"] || "";
  if (!isTTY) return ok("terminal", "none: nobody can be asked, and calls that need a yes are refused");
  if (!/utf-?8/i.test(locale))
    return warning(
      "terminal",
      `the locale ${locale === "" ? "is not set" : locale}: signs beyond ASCII may be garbled`,
      "export LANG=C.UTF-8",
    );
  return columns < 40
    ? warning("terminal", `${columns} columns: lines are cut short`, "make the window wider")
    : ok(
        "terminal",
        `${environment["TERM"] ?? "unknown"}, ${columns} columns${environment["NO_COLOR"] ? ", no colours" : ""}`,
      );
};
