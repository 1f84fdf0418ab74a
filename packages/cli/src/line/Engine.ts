import type { Harness, PromptPart } from "@kumiko/core-loop";
import { makeGrants } from "@kumiko/permission-engine";
import type { ImagePart, RunEvent } from "@kumiko/plugin-api";
import { type RunHandle, RunRefused, Runs } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as ManagedRuntime from "effect/ManagedRuntime";
import * as Stream from "effect/Stream";
import type { Settings } from "../checkCommandLine.ts";
import { checkRules } from "../checkRules.ts";
import { type Asking, makeHarness } from "../makeHarness.ts";
import { shellModel, shellPrompt } from "./shellModel.ts";

/** What a prompt is played with. */
export interface Playing {
  readonly settings: Settings;
  readonly ask: Asking;
}

/** What somebody said, with the images that belong to it. */
export interface Said {
  readonly text: string;
  readonly images: ReadonlyArray<ImagePart>;
}

type Runtime = ManagedRuntime.ManagedRuntime<Runs, unknown>;
type Show = (event: RunEvent) => void;

/**
 * Plays prompts of one session, one after another. The harness is made at the first one and kept until something about it
 * changes; a session that is kept in a file does not notice.
 */
export class Engine {
  #built:
    | {
        readonly key: string;
        readonly harness: Harness;
        readonly runtime: Runtime;
      }
    | undefined;
  #handle: RunHandle | undefined;
  /** What was allowed for this session. */
  grants = makeGrants();

  /** Runs a prompt to its end, and then what was left over for runs of its own. */
  async play({ images, text: input }: Said, playing: Playing, show: Show): Promise<void> {
    const runtime = await this.#runtime(playing, "model");
    const { id } = playing.settings.session;
    await this.#watch(
      runtime,
      runtime.runPromise(Effect.flatMap(Runs, (runs) => runs.start({ sessionKey: id, input, images }))),
      show,
    );
    await this.resume(playing, show);
  }

  /** Goes on with what the session left unfinished, and what was sent to it. */
  async resume(playing: Playing, show: Show): Promise<void> {
    const runtime = await this.#runtime(playing, "model");
    const { id } = playing.settings.session;
    for (;;) {
      const handles = await runtime.runPromise(Effect.flatMap(Runs, (runs) => runs.resume(id)));
      if (handles.length === 0) return;
      for (const handle of handles) if (await this.#watch(runtime, Promise.resolve(handle), show)) return;
    }
  }

  /** Runs a command of the user's own through the gate; the conversation has it. Asks nobody: it is the user who said it. */
  async shell(command: string, { settings }: Playing, show: Show): Promise<void> {
    const own = { ...settings, models: [shellModel(command)] as const };
    const playing: Playing = { settings: own, ask: async () => ({ type: "approve" }) };
    const runtime = await this.#runtime(playing, `shell ${command}`);
    const start = Effect.flatMap(Runs, (runs) =>
      runs.start({ sessionKey: settings.session.id, input: shellPrompt(command) }),
    );
    await this.#watch(runtime, runtime.runPromise(start), show);
    await this.release();
  }

  /** Ends the run under way in good order. */
  async cancel(reason: string): Promise<void> {
    if (this.#handle !== undefined) await Effect.runPromise(this.#handle.cancel(reason));
  }

  /** Gives the run under way a message; false: there is none that takes it. */
  async steer({ images, text }: Said): Promise<boolean> {
    const handle = this.#handle;
    if (handle === undefined) return false;
    return Effect.runPromise(
      Effect.match(handle.steer(text, images), { onSuccess: () => true, onFailure: () => false }),
    );
  }

  /** What the model sees before the conversation. */
  async report(playing: Playing): Promise<ReadonlyArray<PromptPart>> {
    await this.#runtime(playing, "model");
    return this.#built === undefined ? [] : this.#built.harness.promptReport();
  }

  /** Leaves the session: what was allowed for it is allowed no more. */
  async leave(): Promise<void> {
    await this.release();
    this.grants = makeGrants();
  }

  /** Gives the session back: others may write it. */
  async release(): Promise<void> {
    const built = this.#built;
    this.#built = undefined;
    await built?.runtime.dispose();
    await built?.harness.dispose();
  }

  // True: it was suspended, and going on would suspend it again.
  async #watch(runtime: Runtime, starting: Promise<RunHandle>, show: Show): Promise<boolean> {
    const handle = await starting;
    this.#handle = handle;
    let isOver = false;
    try {
      await runtime.runPromise(
        Stream.runForEach(handle.events, (event) =>
          Effect.sync(() => {
            if (event.type === "lifecycle.end" || event.type === "lifecycle.error")
              isOver = event.outcome.status === "suspended" || event.outcome.status === "aborted";
            show(event);
          }),
        ),
      );
      return isOver;
    } finally {
      this.#handle = undefined;
    }
  }

  // Other settings, another harness: the session is given back first.
  async #runtime({ ask, settings }: Playing, what: string): Promise<Runtime> {
    const { id } = settings.session;
    const key = `${what}\0${id}\0${settings.mode}\0${settings.models.map((model) => model.id).join(" ")}`;
    if (this.#built?.key === key) return this.#built.runtime;
    await this.release();
    const harness = makeHarness(settings, ask, this.grants);
    await Effect.runPromise(checkRules(settings, harness));
    const runtime = ManagedRuntime.make(harness);
    this.#built = { key, harness, runtime };
    return runtime;
  }
}

/** Why a prompt was not taken, in words. */
export const refusalOf = (error: unknown): string =>
  error instanceof RunRefused ? error.detail : error instanceof Error ? error.message : String(error);
