import { Journal, type JournalFailed } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { jsonLine, oneLine } from "../printable.ts";
import { type SessionProblem, withSessions } from "./findSession.ts";
import { type ListLine, sessionsFor } from "./list.ts";
import { type Transcript, transcriptOf } from "./Transcript.ts";
import { inputLine } from "./words.ts";

/** More are counted, not shown: who gets more writes more of the text. */
const maxHits = 200;
const around = 40;

export interface SearchHit {
  readonly sessionKey: string;
  /** Its number within the session. */
  readonly run: number;
  readonly runId: string;
  readonly where: "prompt" | "answer" | "call" | "result";
  readonly snippet: string;
}

/** `kumiko sessions search`: what was said, done and answered, whatever the case. */
export const search = Effect.fnUntraced(function* (
  line: ListLine & { readonly text: string },
): Effect.fn.Return<void, SessionProblem> {
  if (line.text.trim() === "") return yield* new BadInput({ detail: "the text to search for is empty" });
  const { sessions } = yield* sessionsFor(line);
  const readable = sessions.filter(({ status }) => status !== "unreadable");
  const hits = yield* withSessions(
    hitsOf(
      readable.map(({ id }) => id),
      line.text,
    ),
  );
  if (line.json) return print(jsonLine(hits));
  for (const { run, sessionKey, snippet, where } of hits.slice(0, maxHits))
    print(`${sessionKey}  run ${run}  ${where.padEnd(6)}  ${snippet}`);
  const rest = hits.length - maxHits;
  if (rest > 0) process.stderr.write(`… and ${rest} more; write more of the text to get fewer\n`);
  const passed = sessions.length - readable.length;
  if (passed > 0)
    process.stderr.write(
      `kumiko: ${passed === 1 ? "a session" : `${passed} sessions`} could not be read: kumiko sessions list\n`,
    );
  if (hits.length === 0)
    process.stderr.write(`Nothing found${line.all ? "" : " in the sessions of this folder; --all searches all"}.\n`);
});

/** Where a text stands in some sessions, whatever its case. One that cannot be read has no hits. */
export const hitsOf = Effect.fnUntraced(function* (
  ids: ReadonlyArray<string>,
  text: string,
): Effect.fn.Return<ReadonlyArray<SearchHit>, JournalFailed, Journal> {
  const journal = yield* Journal;
  const hits: Array<SearchHit> = [];
  for (const id of ids) {
    const records = yield* Effect.orElseSucceed(journal.read(id), () => []);
    hits.push(...hitsIn(id, transcriptOf(records), text));
  }
  return hits;
});

const hitsIn = (sessionKey: string, { runs }: Transcript, text: string): ReadonlyArray<SearchHit> =>
  runs.flatMap(({ items, number, run }) => {
    const texts: ReadonlyArray<readonly [SearchHit["where"], string]> = [
      ["prompt", run.prompt],
      ...items.flatMap((item): ReadonlyArray<readonly [SearchHit["where"], string]> => {
        if (item.type === "assistant") return [["answer", item.text]];
        if (item.type === "user") return [["prompt", item.text]];
        return [
          ["call", `${item.tool} ${inputLine(item.input)}`],
          ["result", item.result],
        ];
      }),
    ];
    return texts.flatMap(([where, whole]) => {
      const snippet = snippetOf(whole, text);
      return snippet === undefined ? [] : [{ sessionKey, run: number, runId: run.runId, where, snippet }];
    });
  });

const snippetOf = (whole: string, text: string): string | undefined => {
  // Folding may change a text's length: then the place is only about right.
  const at = whole.toLowerCase().indexOf(text.toLowerCase());
  if (at === -1) return undefined;
  const from = Math.max(0, at - around);
  const to = at + text.length + around;
  return `${from > 0 ? "…" : ""}${oneLine(whole.slice(from, to), 200)}${to < whole.length ? "…" : ""}`;
};

const print = (text: string): void => void process.stdout.write(`${text}\n`);
