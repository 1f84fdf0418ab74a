import * as Effect from "effect/Effect";
import type { SessionFolder } from "./SessionFolder.node.ts";

/** How often a writer looks whether another process has written to its session: soon enough for a person. */
const pollMillis = 100;

/**
 * Waits until somebody else has committed something to the session's file since it was last looked at, or until it is no
 * longer open here. `holdsProcess`: whether waiting alone keeps the process alive.
 */
export const waitForChange = (
  folder: SessionFolder,
  streamId: string,
  since: number,
  holdsProcess: boolean,
): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timer = setInterval(() => {
      if (versionOf(folder, streamId) === since) return;
      clearInterval(timer);
      resume(Effect.void);
    }, pollMillis);
    if (!holdsProcess) timer.unref();
    return Effect.sync(() => clearInterval(timer));
  });

/** Changes with every commit of another process; -1 while there is no file. */
export const versionOf = (folder: SessionFolder, streamId: string): number => {
  const session = folder.opened(streamId);
  return session?.file === undefined || session.isClosed ? -1 : session.file.version;
};
