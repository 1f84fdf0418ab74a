import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { durationPattern } from "../duration.ts";
import { oneLine } from "../printable.ts";
import type { ConfigLayer, SingleValues } from "./Config.ts";

/** The variables that settings are taken from, and the setting each is for. */
export const variables = {
  KUMIKO_MODEL: "model",
  KUMIKO_MODE: "mode",
  KUMIKO_MAX_TURNS: "maxTurns",
  KUMIKO_UNATTENDED: "unattended",
  KUMIKO_QUESTION_TIMEOUT: "questionTimeout",
  KUMIKO_AUDIT_LOG: "auditLog",
  KUMIKO_PLAIN: "plain",
} as const satisfies Readonly<Record<string, keyof SingleValues>>;

type Read = (text: string) => Partial<SingleValues> | undefined;

const readers: Readonly<Record<keyof SingleValues, Read>> = {
  model: (model) => ({ model }),
  mode: (text) => {
    const mode = (["plan", "ask", "accept-edits", "auto"] as const).find((known) => known === text);
    return mode === undefined ? undefined : { mode };
  },
  maxTurns: (text) => (/^[1-9]\d{0,4}$/.test(text) ? { maxTurns: Number(text) } : undefined),
  unattended: (text) => {
    const unattended = (["deny", "suspend", "wait"] as const).find((known) => known === text);
    return unattended === undefined ? undefined : { unattended };
  },
  questionTimeout: (text) => (durationPattern.test(text) ? { questionTimeout: text } : undefined),
  auditLog: (auditLog) => ({ auditLog }),
  plain: (text) =>
    /^(?:1|true|yes)$/i.test(text) ? { plain: true } : /^(?:0|false|no)$/i.test(text) ? { plain: false } : undefined,
};

const expected: Readonly<Record<keyof SingleValues, string>> = {
  model: "the name of a model",
  mode: "plan, ask, accept-edits or auto",
  maxTurns: "a number from 1 on",
  unattended: "deny, suspend or wait",
  questionTimeout: "90s, 15m, 2h or 1d",
  auditLog: "a file",
  plain: "1 or 0",
};

/** What the environment sets. An empty variable counts as not set. */
export const environmentLayers = (
  environment: Readonly<Record<string, string | undefined>>,
): Effect.Effect<ReadonlyArray<ConfigLayer>, BadInput> =>
  Effect.forEach(
    Object.entries(variables).filter(([name]) => (environment[name] ?? "") !== ""),
    ([name, key]) => {
      const text = environment[name] ?? "";
      const values = readers[key](text);
      return values === undefined
        ? Effect.fail(
            new BadInput({ detail: `${name} is ${JSON.stringify(oneLine(text, 40))}: expected ${expected[key]}` }),
          )
        : Effect.succeed({ source: { layer: "environment" as const, name }, values });
    },
  );
