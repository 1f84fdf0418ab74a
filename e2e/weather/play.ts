import { defineHarness, describeSession, type DescribedSession } from "@kumiko/core-loop";
import { layerSqlite } from "@kumiko/journal/sqlite";
import { type AskedCall, modelServer, type WireFormat } from "@kumiko/models/testing";
import { permissionEngine } from "@kumiko/permission-engine";
import type { RunOutcome } from "@kumiko/plugin-api";
import { inScratch } from "../inScratch.ts";
import { modelOn } from "../modelOn.ts";
import { recordsIn } from "../recordsIn.ts";
import { job, markTool, prompt } from "./job.ts";

/** Longest wait that a provider may ask for here; the faults that name one ask for more. */
const retry = { baseMillis: 2, maxMillis: 5, maxRetryAfterMillis: 1_000 };
/** A silent call is given up after this; its client ends it a little earlier, unless keep-alives come. */
const silence = { noticeMillis: 700, cutMillis: 1_500 };
const idleTimeoutMillis = 1_200;

/** What a run leaves. */
export interface Played {
  readonly outcome: RunOutcome;
  readonly tookMillis: number;
  /** Marks that were set so far, in order. */
  readonly executed: ReadonlyArray<string>;
  readonly asked: ReadonlyArray<AskedCall>;
  readonly session: DescribedSession;
}

/**
 * Runs the job with a fault for each request in turn, then lets another harness go on in good weather. `standIn`: the wire
 * of a second model, asked when the first has failed for good.
 */
export const playJob = async (
  wire: WireFormat,
  faults: ReadonlyArray<string | undefined>,
  standIn?: WireFormat,
): Promise<{ readonly stormy: Played; readonly calm: Played }> => {
  const executed: Array<string> = [];
  const play = async (
    directory: string,
    input: string,
    weather: ReadonlyArray<string | undefined>,
  ): Promise<Played> => {
    await using server = await modelServer({ script: job, faults: weather });
    const harness = defineHarness({
      model: [
        modelOn(wire, server, { idleTimeoutMillis }),
        ...(standIn === undefined ? [] : [modelOn(standIn, server, { idleTimeoutMillis })]),
      ],
      permissions: permissionEngine({ mode: "auto", allow: ["mark"] }),
      tools: [markTool((name) => executed.push(name))],
      sessions: layerSqlite({ directory }),
      retry,
      silence,
    });
    const start = performance.now();
    const outcome = await harness.run(input);
    const tookMillis = performance.now() - start;
    await harness.dispose();
    const session = describeSession(await recordsIn(directory));
    return { outcome, tookMillis, executed: executed.slice(), asked: server.asked, session };
  };
  return inScratch(async (directory) => ({
    stormy: await play(directory, prompt, faults),
    calm: await play(directory, "Go on.", []),
  }));
};
