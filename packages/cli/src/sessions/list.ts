import * as Effect from "effect/Effect";
import { workingFolder } from "../checkFolders.ts";
import { jsonLine, oneLine } from "../printable.ts";
import { sessionsFolder } from "../stateFolder.ts";
import { widthOf } from "../terminal.ts";
import { costIn, sumOf } from "../usage/Tally.ts";
import { type SessionProblem, withSessions } from "./findSession.ts";
import { type ListedSession, listSessions } from "./SessionIndex.ts";
import { shortFolder, standing, when } from "./words.ts";

export interface ListLine {
  readonly all: boolean;
  readonly json: boolean;
  readonly cwd: string | undefined;
}

/** `kumiko sessions list`. */
export const list = Effect.fnUntraced(function* (line: ListLine): Effect.fn.Return<void, SessionProblem> {
  const { others, sessions } = yield* sessionsFor(line);
  if (line.json) return print(jsonLine(sessions.map(withTotals)));
  const width = widthOf(process.stdout);
  const states = sessions.map(standing);
  const longest = Math.max(0, ...states.map(({ length }) => length));
  sessions.forEach((session, index) => {
    const { changedAt, cwd, id, problem, prompt, status } = session;
    const columns = [
      id,
      // How it stands matters more than since when.
      ...(width < narrow ? [] : [status === "unreadable" ? " ".repeat(16) : when(changedAt)]),
      (states[index] ?? "").padEnd(longest),
      ...(line.all ? [shortFolder(cwd, 30)] : []),
      problem ?? (prompt === "" ? "(nothing was said)" : prompt),
    ];
    print(oneLineKeepingColumns(columns, width));
  });
  if (sessions.length === 0)
    process.stderr.write(
      others === 0
        ? "There are no sessions yet.\n"
        : `There is no session of this folder; ${others === 1 ? "one" : others} of other folders: kumiko sessions list --all\n`,
    );
});

/** Terminals of fewer columns have no room for times. */
const narrow = 60;

const withTotals = ({ usage, ...session }: ListedSession) => {
  const total = sumOf(usage.map(({ tally }) => tally));
  return { ...session, modelCalls: total.calls, usage: total.usage, ...costIn(total) };
};

/** The sessions a command is about: those of this folder (those that nobody can read are everybody's), or all. */
export const sessionsFor = Effect.fnUntraced(function* ({
  all,
  cwd,
}: Omit<ListLine, "json">): Effect.fn.Return<
  { readonly sessions: ReadonlyArray<ListedSession>; readonly others: number },
  SessionProblem
> {
  const here = yield* workingFolder(cwd ?? ".");
  const found = yield* withSessions(listSessions(sessionsFolder()));
  const sessions = all ? found : found.filter((session) => session.cwd === here || session.status === "unreadable");
  return { sessions, others: found.length - sessions.length };
});

// Runs of blanks within a column fall together; those between columns stay.
const oneLineKeepingColumns = (columns: ReadonlyArray<string>, width: number): string => {
  const last = columns.length - 1;
  const line = columns
    .map((text, index) => (index === last ? oneLine(text, 200) : oneLine(text, 200).padEnd(text.length)))
    .join("  ");
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
};

const print = (text: string): void => void process.stdout.write(`${text}\n`);
