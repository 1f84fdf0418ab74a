import { canGoOn, endingWords } from "../sessions/goOnPrompt.ts";
import * as Effect from "effect/Effect";
import type { BadInput } from "../BadInput.ts";
import { checkCommandLine } from "../checkCommandLine.ts";
import { unknownFigures } from "../chooseModels.ts";
import type { CommandLine } from "../command.ts";
import { exitCodes } from "../exitCodes.ts";
import type { SessionInUse } from "../SessionInUse.ts";
import { shortFolder } from "../sessions/words.ts";
import { proseRows } from "./columns.ts";
import { openHistory } from "./history.ts";
import { Talk } from "./Talk.ts";
import { PlainFace } from "./PlainFace.ts";
import { RawFace } from "./RawFace.ts";
import { sizeOf } from "./sizeOf.ts";
import { styleOf, wantsColour } from "./style.ts";

/** Plain width: whatever reads it aloud wraps it. */
const plainColumns = 200;

/** `kumiko` at a terminal, without `-p`: a conversation. Fails before anything is shown. */
export const lineMode = (line: CommandLine): Effect.Effect<void, BadInput | SessionInUse> =>
  Effect.gen(function* () {
    const settings = yield* checkCommandLine(line);
    const { session } = settings;
    if (session.from !== undefined) {
      const { fork } = yield* Effect.promise(() => import("../sessions/forkSession.ts"));
      yield* fork(session.from, session.id, session.directory);
    }
    const isPlain = settings.plain || process.env["TERM"] === "dumb";
    const style = styleOf(!isPlain && wantsColour(process.stdout));
    const columns = (): number => (isPlain ? plainColumns : sizeOf(process.stdout).columns);
    const mode = new Talk(settings, { style, isPlain, columns });
    const history = openHistory();
    const face = isPlain ? new PlainFace(mode, history) : new RawFace(mode, history, style);
    mode.attach(face);
    process.exitCode = yield* Effect.promise(() => converse(mode, face));
  });

/** What asks a program to end from outside. */
const endings = ["SIGTERM", "SIGHUP"] as const;

const converse = async (mode: Talk, face: PlainFace | RawFace): Promise<number> => {
  const end = (): void => mode.quit(exitCodes.interrupted);
  for (const signal of endings) process.on(signal, end);
  // A terminal that has gone takes nothing any more.
  process.stdout.once("error", end);
  try {
    greet(mode);
    const { from, id, isPaused, type } = mode.settings.session;
    if (type === "goOn" || from !== undefined) await (await import("./sessionSwitches.ts")).showLast(mode);
    const { status } = mode.settings.session;
    if (type === "goOn" && canGoOn(status))
      mode.note(`the last run ${endingWords[status]}: say how to go on, or just "go on"`);
    if (isPaused) mode.note(`session ${id} is paused: it goes on after kumiko unpause ${id}`);
    face.open();
    if (type === "goOn") mode.resume();
    return await mode.over;
  } finally {
    face.close();
    for (const signal of endings) process.off(signal, end);
    const { id, type } = mode.settings.session;
    if (type !== "memory" && (type !== "new" || mode.hasPlayed))
      process.stdout.write(`${mode.format.style.dim(`session ${id}: kumiko --resume ${id} goes on`)}\n`);
  }
};

const greet = (mode: Talk): void => {
  const { cwd, models, notices } = mode.settings;
  const { isPlain, style } = mode.format;
  const columns = mode.format.columns();
  const folder = shortFolder(cwd, Math.max(columns - 18, 10));
  mode.print([style.dim(`kumiko in ${folder}${isPlain ? ", " : " · "}/help`)]);
  if (models[0].isRehearsal === true)
    mode.print(proseRows("This is a rehearsal: prepared parts are played, no language model is asked.", columns));
  for (const notice of notices) mode.note(notice);
  const unknown = unknownFigures(models[0]);
  if (unknown !== undefined) mode.note(unknown);
};
