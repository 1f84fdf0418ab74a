import { answerFaults } from "./answerFaults.ts";
import { contentFaults } from "./contentFaults.ts";
import type { Fault } from "./Fault.ts";
import { streamFaults } from "./streamFaults.ts";

/**
 * Every way a model server is known to misbehave: name to what it does and what a client must make of it.
 *
 * @example
 * ```ts
 * // Does your harness try again after an overload, and only once?
 * await using server = await modelServer({ script: [{ text: "Done." }], faults: ["status-529"] })
 * const outcome = await runMyHarness({ baseUrl: server.baseUrl })
 * expect(outcome.text).toBe("Done.")
 * expect(server.asked).toHaveLength(2)
 * ```
 */
export const faults: Readonly<Record<string, Fault>> = { ...streamFaults, ...contentFaults, ...answerFaults };
