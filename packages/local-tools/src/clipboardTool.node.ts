import { defineTool, type Tool, ToolFailed } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import { abortable } from "./internal/abortable.ts";
import { runProgram } from "./internal/runProgram.node.ts";

const maxCharacters = 100_000;
const maxBytes = 1_000_000;

const Input = Schema.Struct({
  action: Schema.Literals(["read", "write"]),
  text: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maxCharacters)).annotate({
      description: "For write.",
    }),
  ),
});

interface Clipboard {
  readonly read: ReadonlyArray<string>;
  readonly write: ReadonlyArray<string>;
}

// The text goes by input: arguments are seen by everybody on the machine.
const clipboards = (environment: NodeJS.ProcessEnv): ReadonlyArray<Clipboard> => {
  if (process.platform === "darwin") return [{ read: ["pbpaste"], write: ["pbcopy"] }];
  const wayland = { read: ["wl-paste", "--no-newline"], write: ["wl-copy"] };
  const x11 = [
    { read: ["xclip", "-selection", "clipboard", "-o"], write: ["xclip", "-selection", "clipboard"] },
    { read: ["xsel", "--clipboard", "--output"], write: ["xsel", "--clipboard", "--input"] },
  ];
  return [
    ...(environment["WAYLAND_DISPLAY"] === undefined ? [] : [wayland]),
    ...(environment["DISPLAY"] === undefined ? [] : x11),
  ];
};

/**
 * The tool `clipboard`: reads or replaces the text that people copy and paste. Passwords pass by there, so reading it is
 * no plain reading: both ask.
 */
export const clipboardTool = (): Tool =>
  defineTool({
    name: "clipboard",
    description: "Reads the text in the clipboard of the user, or replaces it.",
    input: Input,
    risk: "local-write",
    recovery: "rerun",
    timeoutMillis: 20_000,
    execute: ({ action, text }) =>
      abortable(async (signal) => {
        if (action === "write" && text === undefined)
          throw new ToolFailed({ kind: "validation", detail: "write needs a text." });
        for (const clipboard of clipboards(process.env)) {
          const end = await runProgram(clipboard[action], {
            ...(text === undefined ? {} : { input: text }),
            maxBytes,
            signal,
          });
          if (end === undefined) continue;
          if (action === "write") {
            if (end.code === 0) return `(${text?.length ?? 0} characters are in the clipboard)`;
            throw new ToolFailed({ kind: "failed", detail: `the clipboard could not be written: ${end.problem}` });
          }
          const shown = end.output.toString("utf8");
          if (end.code !== 0 || shown === "") return "(there is no text in the clipboard)";
          return shown.length > maxCharacters
            ? `${shown.slice(0, maxCharacters)}\n(cut: ${shown.length - maxCharacters} more characters)`
            : shown;
        }
        throw new ToolFailed({
          kind: "failed",
          detail: "there is no clipboard here: no desktop, or none of wl-copy, xclip, xsel and pbcopy.",
          hint: "Show the text to the user instead.",
        });
      }),
  });
