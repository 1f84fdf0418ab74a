import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layerSqlite } from "@kumiko/journal/sqlite";
import { defineTool, type Message, type RunEvent, type RunOutcome, type Tool } from "@kumiko/plugin-api";
import { type Inbox, Journal, type JournalEntry, type Questions } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { afterEach } from "vitest";
import type { HarnessOptions } from "../src/index.ts";
import { gate, type Said, scripted } from "./support.ts";

const folders: Array<string> = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
export const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "kumiko-resume-"));
  folders.push(folder);
  return folder;
};

type Sessions = Layer.Layer<Journal | Questions | Inbox>;

/** A process that freezes for ever at its n-th append, before or after it: what it would do next never happens. */
export const freezing = (
  directory: string,
  at: number,
  moment: "before" | "after",
): { readonly sessions: Sessions; readonly frozen: Promise<void> } => {
  const sessions = layerSqlite({ directory });
  const { promise: frozen, resolve } = Promise.withResolvers<void>();
  const freeze = Effect.andThen(Effect.sync(resolve), Effect.never);
  const layer = Layer.merge(
    sessions,
    Layer.effect(
      Journal,
      Effect.map(Journal, (journal) => {
        let appends = 0;
        return Journal.of({
          ...journal,
          open: (streamId) =>
            Effect.map(journal.open(streamId), (writer) => ({
              ...writer,
              append: (entries: ReadonlyArray<JournalEntry>, options) =>
                Effect.suspend(() => {
                  appends++;
                  if (appends < at) return writer.append(entries, options);
                  if (appends > at || moment === "before") return freeze;
                  return Effect.andThen(writer.append(entries, options), freeze);
                }),
            })),
        });
      }),
    ).pipe(Layer.provide(sessions)),
  );
  return { sessions: layer, frozen };
};

export const note = (ran: Array<string>, more: Partial<Parameters<typeof defineTool>[0]> = {}): Tool =>
  defineTool({
    name: "note",
    description: "-",
    input: Schema.Struct({ text: Schema.String }),
    risk: "local-write",
    execute: ({ text }: { readonly text: string }) => {
      ran.push(text);
      return `noted ${text}`;
    },
    ...more,
  } as Parameters<typeof defineTool>[0]);

export const last = async (events: AsyncIterable<RunEvent>): Promise<RunOutcome | undefined> => {
  let outcome: RunOutcome | undefined;
  for await (const event of events)
    if (event.type === "lifecycle.end" || event.type === "lifecycle.error") outcome = event.outcome;
  return outcome;
};

export const options = (
  more: Partial<HarnessOptions<ReturnType<typeof gate>, []>> & { readonly model: ReturnType<typeof scripted>["model"] },
) => ({ permissions: gate(), ...more }) as const;

/** What the model says next goes by what it is shown, so that it is the same in every process. */
export const byReplies = (...replies: ReadonlyArray<Said>) =>
  scripted(
    ...Array.from(
      { length: 20 },
      () => (request: { readonly messages: ReadonlyArray<Message> }) =>
        replies[request.messages.filter(({ role }) => role === "assistant").length] ?? "nothing left to say",
    ),
  );
