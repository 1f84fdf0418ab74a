import { defineTool, type Tool } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import { abortable } from "./internal/abortable.ts";
import { runProgram } from "./internal/runProgram.node.ts";

const Input = Schema.Struct({
  title: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(100)),
  text: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(500))),
});

/** How {@link notifyTool} is set up. */
export interface NotifyOptions {
  /** Rings where there is no desktop; true: it did. Default: the bell of the terminal this process has, if any. */
  readonly ring?: () => boolean;
}

const bell = (): boolean => {
  if (!process.stderr.isTTY) return false;
  process.stderr.write("\u0007");
  return true;
};

// The text is data, not code: it stands in variables that the script reads.
const appleScript =
  'display notification (system attribute "KUMIKO_NOTIFY_TEXT") with title (system attribute "KUMIKO_NOTIFY_TITLE")';

/**
 * The tool `notify`: tells the user something that is not looking. On a desktop as a notification, else by the bell of
 * the terminal; where there is neither, the result says so.
 */
export const notifyTool = ({ ring = bell }: NotifyOptions = {}): Tool =>
  defineTool({
    name: "notify",
    description:
      "Notifies the user on the desktop, for instance that long work is over. Not for what belongs in the answer.",
    input: Input,
    risk: "read",
    recovery: "rerun",
    timeoutMillis: 20_000,
    execute: ({ text = "", title }) =>
      abortable(async (signal) => {
        const line = (of: string): string => of.replaceAll(/\p{Cc}+/gu, " ");
        const command =
          process.platform === "darwin"
            ? [
                "env",
                `KUMIKO_NOTIFY_TITLE=${line(title)}`,
                `KUMIKO_NOTIFY_TEXT=${line(text)}`,
                "osascript",
                "-e",
                appleScript,
              ]
            : [
                "notify-send",
                "--app-name=kumiko",
                "--",
                line(title),
                line(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
              ];
        const end = await runProgram(command, { maxBytes: 1000, signal });
        if (end?.code === 0) return "(the user was notified on the desktop)";
        const why = end === undefined ? `there is no ${command[0]}` : end.problem.slice(0, 200);
        return ring()
          ? `(no desktop notification: ${why}; the terminal's bell was rung)`
          : `(the user could not be notified: ${why}, and there is no terminal whose bell could ring)`;
      }),
  });
