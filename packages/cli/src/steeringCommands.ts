import * as Argument from "effect/cli/Argument";
import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";

const session = Argument.String("session").pipe(
  Argument.withDescription("The id of a session, or as much of it as is enough"),
);
const loadPost = Effect.promise(() => import("./sessions/post.ts"));

const answer = Command.make(
  "answer",
  {
    session,
    words: Argument.String("answer").pipe(
      Argument.withDescription("[question] yes | no [reason]: the question by its number, where there are several"),
      Argument.variadic(),
    ),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false)),
  },
  (line) =>
    Effect.flatMap(
      Effect.promise(() => import("./sessions/answer.ts")),
      ({ answer: run }) => run(line),
    ),
).pipe(Command.withDescription("Shows what a session waits for, or answers it, from any process"));

const send = Command.make(
  "send",
  {
    session,
    text: Argument.String("text").pipe(Argument.withDescription("What to say; - reads it from standard input")),
    followUp: Flag.Boolean("follow-up").pipe(
      Flag.withDescription("Not for the run under way: for a run of its own, after it"),
      Flag.withDefault(false),
    ),
  },
  (line) => Effect.flatMap(loadPost, ({ send: run }) => run(line)),
).pipe(Command.withDescription("Gives a session a message: its run sees it before its next model call"));

const abort = Command.make(
  "abort",
  {
    session,
    reason: Argument.String("reason").pipe(Argument.withDescription("Why, for the record"), Argument.variadic),
  },
  ({ reason, session: id }) =>
    Effect.flatMap(loadPost, ({ abort: run }) => run({ session: id, reason: reason.join(" ").trim() })),
).pipe(Command.withDescription("Ends the run of a session, whatever process runs it"));

const pause = Command.make("pause", { session }, (line) =>
  Effect.flatMap(loadPost, ({ pause: run }) => run({ ...line, isEnd: false })),
).pipe(Command.withDescription("Holds a session before its next model call"));

const unpause = Command.make("unpause", { session }, (line) =>
  Effect.flatMap(loadPost, ({ pause: run }) => run({ ...line, isEnd: true })),
).pipe(Command.withDescription("Lets a paused session go on"));

/** What reaches into a session from outside. */
export const steeringCommands = [answer, send, abort, pause, unpause] as const;
