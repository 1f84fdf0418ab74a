import type { WriteStream } from "node:tty";
import type { Json, RunEvent } from "@kumiko/plugin-api";
import { oneLine } from "./printable.ts";
import { dim, widthOf } from "./terminal.ts";
import { followUpWords, type ModelFailed, silenceWords, switchWords, waitWords } from "./waitWords.ts";

/** Progress for people, on standard error: one line a call, and a status line while something takes its time. */
export interface Progress {
  readonly show: (event: RunEvent) => void;
  /** Takes the status line away, so that something else can be written. */
  readonly clear: () => void;
}

/** A status line that comes sooner is a flicker. */
const patienceMillis = 1000;

export const progressTo = (stream: WriteStream, { isRehearsal }: { readonly isRehearsal: boolean }): Progress => {
  const width = (): number => widthOf(stream);
  let waitingFor = "";
  let model = "the model";
  let failure: ModelFailed | undefined;
  let since = performance.now();
  let isShown = false;
  const started = new Map<string, string>();

  const clear = (): void => {
    if (isShown) stream.write("\r\u001B[K");
    isShown = false;
  };
  const line = (text: string): void => {
    clear();
    stream.write(`${dim(oneLine(text, width() - 1), stream)}\n`);
  };
  const wait = (what: string): void => {
    waitingFor = what;
    failure = undefined;
    since = performance.now();
  };
  const timer = setInterval(() => {
    const countdown = failure === undefined ? undefined : waitWords(failure, Date.now());
    if (failure !== undefined && countdown === undefined) wait(`${failure.model} is asked again`);
    const elapsed = performance.now() - since;
    if (waitingFor === "" || (countdown === undefined && elapsed < patienceMillis)) return;
    const text = countdown ?? `${waitingFor} ${Math.round(elapsed / 1000)} s`;
    stream.write(`\r\u001B[K${dim(oneLine(text, width() - 1), stream)}`);
    isShown = true;
  }, 250);
  timer.unref();

  const show = (event: RunEvent): void => {
    switch (event.type) {
      case "lifecycle.start":
        if (isRehearsal) line("This is a rehearsal: a prepared part is played, no language model is asked.");
        model = event.model;
        return wait(`${model} is thinking`);
      case "model.failed":
        if (event.retryAt === undefined) return;
        wait(event.model);
        failure = event;
        return;
      case "model.switched":
        model = event.to;
        line(`! ${switchWords(event)}`);
        return wait(`${model} is thinking`);
      case "model.silent":
        return line(`! ${silenceWords(model, event.silentMillis)}`);
      case "loop.followUp":
        line(`! ${followUpWords(event)}`);
        return wait(`${model} is thinking`);
      case "tool.start":
        started.set(event.callId, argumentsOf(event.input));
        return wait(`${event.tool} is running`);
      case "tool.end": {
        const { status, text } = event.result;
        const mark = status === "ok" ? "✓" : "✗";
        const what = started.get(event.callId) ?? "";
        started.delete(event.callId);
        const gave = status === "ok" ? sizeOf(text) : (text.split("\n", 1)[0] ?? "");
        line(`${mark} ${event.tool}${what === "" ? "" : ` ${what}`}: ${event.reused ? "as before, " : ""}${gave}`);
        return wait(`${model} is thinking`);
      }
      case "approval.start":
        clear();
        return wait("");
      case "approval.end":
        return wait("working");
      case "loop.forceStop":
        return line(`! stopping: ${event.reason}`);
      case "plugin.failed":
        return line(`! a plugin failed at ${event.point}: ${event.detail}`);
      case "lifecycle.end":
      case "lifecycle.error":
        waitingFor = "";
        return clear();
      default:
        return;
    }
  };
  return { show, clear };
};

/** What a call was given, short: the texts and numbers of its input. */
const argumentsOf = (input: Json): string =>
  typeof input !== "object" || input === null
    ? ""
    : Object.values(input)
        .filter((value) => typeof value === "string" || typeof value === "number")
        .map((value) => oneLine(String(value), 40))
        .join(" ");

const sizeOf = (text: string): string => {
  const lines = text.split("\n").filter((line) => line !== "").length;
  return lines === 1 ? text.trim() : `${lines} lines`;
};
