import { answerFaults } from "./answerFaults.ts";
import { contentFaults } from "./contentFaults.ts";
import type { Fault } from "./Fault.ts";
import { streamFaults } from "./streamFaults.ts";

/**
 * Every way a model server is known to misbehave: name to what it does and what a client must make of it.
 *
 * @example
 * ```ts
 * // Does a harness try again after an overload, and only once?
 * await using server = await modelServer({ script: [{ text: "Done." }], faults: ["status-529"] })
 * const model = openAiCompatible({ model: "any", baseUrl: server.baseUrl })
 * // … run a harness on `model`, then look at how often it asked: …
 * server.asked.length // => 0
 * ```
 */
export const faults: Readonly<Record<string, Fault>> = { ...streamFaults, ...contentFaults, ...answerFaults };
