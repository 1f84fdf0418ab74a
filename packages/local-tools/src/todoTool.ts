import { defineTool, type Message, type Tool, toolCallsOf } from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";

const maxItems = 50;
const maxCharacters = 300;

/** One thing to be done. */
export const Todo = Schema.Struct({
  text: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maxCharacters)),
  status: Schema.Literals(["pending", "in_progress", "done"]),
});
export type Todo = typeof Todo.Type;

const Input = Schema.Struct({
  items: Schema.Array(Todo)
    .check(
      Schema.isMaxLength(maxItems),
      Schema.makeFilter(
        (items: ReadonlyArray<Todo>) =>
          items.filter(({ status }) => status === "in_progress").length <= 1 || "at most one item is in_progress",
      ),
    )
    .annotate({ description: "The whole list, in order; it replaces the one before. At most one is in_progress." }),
});

const name = "todo";

/**
 * The tool `todo`: the list of what is to be done, replaced as a whole. It keeps nothing: the list is what the last call
 * in the session's history says, so that it comes back with a resumed session, is that of its own branch in a forked one,
 * and goes back with one that is rewound. {@link todosOf} reads it from there.
 */
export const todoTool = (): Tool =>
  defineTool({
    name,
    description:
      "Keeps the list of what is to be done, for work of three steps or more: people see it. Give the whole list each " +
      "time; mark an item in_progress before you begin it and done as soon as it is.",
    input: Input,
    risk: "read",
    execute: ({ items }) => todoText(items),
  });

const marks = { pending: "[ ]", in_progress: "[>]", done: "[x]" } as const;

/** A list as text, an item a line: `[ ]`, `[>]`, `[x]`. */
export const todoText = (items: ReadonlyArray<Todo>): string =>
  items.length === 0
    ? "(nothing to do)"
    : items.map(({ status, text }) => `${marks[status]} ${text.replaceAll(/\p{Cc}+/gu, " ")}`).join("\n");

/**
 * The list as a conversation left it: what the last call of `todo` says that was carried out. Empty: there is none.
 *
 * @example
 * ```ts
 * todosOf([userText("Go on.")]) // => []
 * ```
 */
export const todosOf = (messages: ReadonlyArray<Message>): ReadonlyArray<Todo> => {
  const isDone = new Set(
    messages.flatMap((message) =>
      message.role === "tool" ? message.parts.filter(({ status }) => status === "ok").map(({ callId }) => callId) : [],
    ),
  );
  for (const message of messages.toReversed()) {
    if (message.role !== "assistant") continue;
    for (const call of toolCallsOf(message).toReversed()) {
      if (call.name !== name || !isDone.has(call.id)) continue;
      const input = decode(call.input);
      if (Result.isSuccess(input)) return input.success.items;
    }
  }
  return [];
};

const decode = Schema.decodeUnknownResult(Input);
