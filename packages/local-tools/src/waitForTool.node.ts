import { stat } from "node:fs/promises";
import { connect, isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { defineTool, type Resource, type Tool, ToolFailed } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { BackgroundJobs } from "./BackgroundJobs.node.ts";
import { shownDuration } from "./commandOutcome.ts";
import { errorCode, fileFailure } from "./fileFailure.ts";
import { httpRequest } from "./httpRequest.node.ts";
import { hostResource, requestedUrl } from "./httpTool.node.ts";
import { abortable } from "./internal/abortable.ts";
import { checkedLookup, type HostCheck } from "./internal/checkedLookup.node.ts";
import { absolutePath, fileResource } from "./internal/paths.node.ts";
import { shownPath } from "./internal/shownPath.ts";

const defaultTimeoutMillis = 60_000;
const maxTimeoutMillis = 600_000;
const spareMillis = 10_000;
/** Looks begin this far apart, and move apart up to the second figure. */
const firstPauseMillis = 50;
const maxPauseMillis = 1000;
const oneLookMillis = 5000;

const Input = Schema.Struct({
  for: Schema.Literals(["file_exists", "file_gone", "file_changed", "port_open", "http_status", "job_ended", "time"]),
  path: Schema.optionalKey(Schema.String.annotate({ description: "For file_…." })),
  host: Schema.optionalKey(Schema.String.annotate({ description: "For port_open. Default 127.0.0.1." })),
  port: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))),
  url: Schema.optionalKey(Schema.String.annotate({ description: "For http_status." })),
  status: Schema.optionalKey(Schema.Int.annotate({ description: "For http_status. Default: 200 to 399." })),
  job: Schema.optionalKey(Schema.String.annotate({ description: "For job_ended." })),
  timeoutMillis: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxTimeoutMillis })).annotate({
      description: `How long at most; for time, how long. Default ${defaultTimeoutMillis}.`,
    }),
  ),
});
type Input = typeof Input.Type;

const resourcesOf = (input: Input, cwd: string): ReadonlyArray<Resource> => {
  if (input.for === "port_open") return [{ key: `net:${input.host ?? "127.0.0.1"}`, mode: "read" }];
  if (input.for === "http_status") return [hostResource(input.url ?? "", "read")];
  return input.for.startsWith("file_") ? [fileResource(cwd, input.path ?? ".", "read")] : [];
};

/** Whether it is so by now; a text says what was seen last. */
type Look = (signal: AbortSignal) => Promise<true | string>;

/** The tool `wait_for`: waits until something is so, by looking now and then; a timeout is a result, not a failure. */
export const waitForTool = (jobs: BackgroundJobs["Service"]): Tool =>
  defineTool({
    name: "wait_for",
    description:
      "Waits until a file exists, is gone or changes, a port is open, a URL answers, a job has ended, or time has passed. " +
      "Better than sleep in bash.",
    input: Input,
    risk: "read",
    resources: resourcesOf,
    timeoutMillis: maxTimeoutMillis + spareMillis,
    execute: (input, { cwd, permits, sessionKey }) =>
      abortable(async (signal) => {
        const { timeoutMillis = defaultTimeoutMillis } = input;
        const check: HostCheck = (host) => Effect.runPromise(permits({ key: `net:${host}`, mode: "read" }));
        const look = await lookFor(input, { cwd, jobs: jobs.list(sessionKey), check });
        return waitUntil(look, timeoutMillis, signal);
      }),
  });

const waitUntil = async (look: Look, timeoutMillis: number, signal: AbortSignal): Promise<string> => {
  const start = performance.now();
  const elapsed = (): number => performance.now() - start;
  for (let pause = firstPauseMillis; ; pause = Math.min(pause * 1.5, maxPauseMillis)) {
    const seen = await look(AbortSignal.any([signal, AbortSignal.timeout(oneLookMillis)]));
    if (seen === true) return `(it is so, after ${shownDuration(elapsed())})`;
    const left = timeoutMillis - elapsed();
    if (left <= 0 || signal.aborted) return `(not within ${shownDuration(timeoutMillis)}: ${seen})`;
    await sleep(Math.min(pause, left), undefined, { signal }).catch(() => undefined);
  }
};

interface Place {
  readonly cwd: string;
  readonly jobs: ReturnType<BackgroundJobs["Service"]["list"]>;
  readonly check: HostCheck;
}

const lookFor = async (input: Input, { check, cwd, jobs }: Place): Promise<Look> => {
  switch (input.for) {
    case "time": {
      const end = performance.now() + (input.timeoutMillis ?? defaultTimeoutMillis);
      return async () => performance.now() >= end - 1 || "it has not passed";
    }
    case "job_ended": {
      const job = jobs.find(({ id }) => id === input.job);
      if (job === undefined) throw missing("job", "the id of a job of this session");
      return async () => job.end() !== undefined || "it still runs";
    }
    case "port_open": {
      const { host = "127.0.0.1", port } = input;
      if (port === undefined) throw missing("port", "a number");
      return (signal) => isOpen(host, port, check, signal);
    }
    case "http_status": {
      const url = requestedUrl(input.url ?? "");
      return (signal) => answers(url, input.status, check, signal);
    }
    case "file_exists":
    case "file_gone":
    case "file_changed":
      return fileLook(input, cwd);
  }
};

const missing = (field: string, what: string): ToolFailed =>
  new ToolFailed({ kind: "validation", detail: `${field}: ${what} is needed.` });

const fileLook = async ({ for: wanted, path }: Input, cwd: string): Promise<Look> => {
  if (path === undefined) throw missing("path", "a file or folder");
  const absolute = absolutePath(cwd, path);
  const state = async (): Promise<string | undefined> => {
    try {
      const { ino, mtimeNs, size } = await stat(absolute, { bigint: true });
      return `${ino} ${mtimeNs} ${size}`;
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return undefined;
      throw fileFailure(error, shownPath(path));
    }
  };
  const before = await state();
  return async () => {
    const now = await state();
    if (wanted === "file_changed") return now !== before || "it is as it was";
    return wanted === "file_exists" ? now !== undefined || "it is not there" : now === undefined || "it is still there";
  };
};

const isOpen = (host: string, port: number, check: HostCheck, signal: AbortSignal): Promise<true | string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, ...(isIP(host) === 0 ? { lookup: checkedLookup(check) } : {}) });
    const stop = (): void => finish("no answer");
    const tidy = (): void => {
      signal.removeEventListener("abort", stop);
      socket.destroy();
    };
    const finish = (seen: true | string): void => {
      tidy();
      resolve(seen);
    };
    socket.once("connect", () => finish(true));
    socket.once("error", (error) => {
      tidy();
      if (error instanceof ToolFailed) reject(error);
      else resolve(errorCode(error) === "" ? error.message : errorCode(error));
    });
    signal.addEventListener("abort", stop);
  });

const answers = async (
  url: URL,
  wanted: number | undefined,
  check: HostCheck,
  signal: AbortSignal,
): Promise<true | string> => {
  try {
    const request = {
      url,
      method: "GET",
      headers: {},
      body: undefined,
      timeoutMillis: oneLookMillis,
      maxBytes: 1,
      check,
    };
    const { status } = await httpRequest(request, signal);
    const isIt = wanted === undefined ? status >= 200 && status < 400 : status === wanted;
    return isIt || `the last answer was ${status}`;
  } catch (error) {
    if (error instanceof ToolFailed && error.kind !== "refused") return error.detail;
    throw error;
  }
};
