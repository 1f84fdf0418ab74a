import type { Harness } from "@kumiko/core-loop";
import * as Effect from "effect/Effect";
import { BadInput } from "./BadInput.ts";
import type { Settings } from "./checkCommandLine.ts";
import { messageOf } from "./messageOf.ts";

/** A rule without brackets is about commands; one that is the name of a tool would match nothing, and protect nothing. */
export const checkRules = ({ allow, deny }: Settings, harness: Harness): Effect.Effect<void, BadInput> =>
  Effect.gen(function* () {
    const rules = [...allow, ...deny].filter((rule) => typeof rule === "string");
    if (rules.length === 0) return;
    const parts = yield* Effect.tryPromise({
      try: () => harness.promptReport(),
      catch: (error) => new BadInput({ detail: messageOf(error) }),
    });
    const tools = new Set(parts.flatMap(({ id, kind }) => (kind === "tool" ? [id] : [])));
    const mistaken = rules.find((rule) => tools.has(rule.trim()));
    if (mistaken !== undefined)
      return yield* new BadInput({
        detail: `the rule ${JSON.stringify(mistaken)} is about a command of that name; write "tool:${mistaken}" for the tool, or "${mistaken}(…)" for some of its calls`,
      });
  });
