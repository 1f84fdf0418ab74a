import { homedir } from "node:os";
import * as Effect from "effect/Effect";

/** The user's home folder as the system names it. */
export const homeFolder: Effect.Effect<string> = Effect.sync(homedir);
