import { type DescribedRun, type DescribedSession, describeSession } from "@kumiko/core-loop";
import { type Message, textOf, type ToolResultPart, type UserMessage } from "@kumiko/plugin-api";
import type { JournalRecord } from "@kumiko/runtime-api";

/** A call of a transcript. */
interface TranscriptCall {
  readonly type: "call";
  readonly tool: string;
  readonly input: unknown;
  /** `open`: nobody wrote down how it ended. */
  readonly status: ToolResultPart["status"] | "open";
  readonly result: string;
}

export type TranscriptItem =
  | TranscriptCall
  | { readonly type: "assistant"; readonly text: string }
  /** Said while the run was under way: by somebody, or by the loop. */
  | { readonly type: "user"; readonly text: string };

interface TranscriptRun {
  /** 1, 2, 3, …: what `kumiko rewind` counts by. */
  readonly number: number;
  readonly run: DescribedRun;
  readonly items: ReadonlyArray<TranscriptItem>;
}

export interface Transcript {
  readonly session: DescribedSession;
  readonly runs: ReadonlyArray<TranscriptRun>;
}

/** A session as people read it: run by run, each call with what came of it. */
export const transcriptOf = (records: ReadonlyArray<JournalRecord>): Transcript => {
  const session = describeSession(records);
  const { messages, runs } = session;
  const begun = (run: DescribedRun): boolean => run.status !== "waiting";
  return {
    session,
    runs: runs.map((run, index) => {
      const next = runs.slice(index + 1).find(begun)?.messagesBefore;
      const own = begun(run) ? messages.slice(run.messagesBefore, next) : [];
      // The first of them is the prompt.
      return { number: index + 1, run, items: itemsOf(own.slice(1)) };
    }),
  };
};

// Its data is for models.
const imageWords = (part: UserMessage["parts"][number]): ReadonlyArray<string> =>
  part.type === "image" ? [`[${part.mediaType}, ${Math.ceil((part.data.length * 3) / 4000)} kB]`] : [];

const itemsOf = (messages: ReadonlyArray<Message>): ReadonlyArray<TranscriptItem> => {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === "tool" ? message.parts.map((part) => [part.callId, part] as const) : [],
    ),
  );
  return messages.flatMap((message): ReadonlyArray<TranscriptItem> => {
    if (message.role === "tool") return [];
    if (message.role === "user")
      return [{ type: "user", text: [...message.parts.flatMap(imageWords), textOf(message)].join("\n") }];
    return message.parts.flatMap((part): ReadonlyArray<TranscriptItem> => {
      if (part.type === "text") return part.text.trim() === "" ? [] : [{ type: "assistant", text: part.text }];
      if (part.type !== "tool-call") return [];
      const result = results.get(part.id);
      return [
        {
          type: "call",
          tool: part.name,
          input: part.malformed ?? part.input,
          status: result?.status ?? "open",
          result: result?.text ?? "",
        },
      ];
    });
  });
};
