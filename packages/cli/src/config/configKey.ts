import { nearest } from "@kumiko/settings";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { oneLine } from "../printable.ts";
import { listKeys, type ListValues, singleKeys, type SingleValues } from "./Config.ts";

/** A setting by the name it has in a file. */
export type ConfigKey =
  | { readonly type: "single"; readonly name: string; readonly key: keyof SingleValues }
  | { readonly type: "list"; readonly name: string; readonly key: keyof ListValues };

const known: ReadonlyArray<ConfigKey> = [
  ...singleKeys.map((key) => ({ type: "single" as const, name: key, key })),
  ...Object.entries(listKeys).map(([name, key]) => ({ type: "list" as const, name, key })),
];

/** The setting of that name, or what was meant. */
export const configKey = (name: string): Effect.Effect<ConfigKey, BadInput> => {
  const found = known.find((key) => key.name === name);
  if (found !== undefined) return Effect.succeed(found);
  const names = known.map((key) => key.name);
  const meant = nearest(name, names) ?? names.find((other) => other.endsWith(`.${name}`));
  return Effect.fail(
    new BadInput({
      detail: `there is no setting ${JSON.stringify(oneLine(name, 60))}. ${meant === undefined ? `There are ${names.join(", ")}` : `Did you mean ${meant}?`}`,
    }),
  );
};
