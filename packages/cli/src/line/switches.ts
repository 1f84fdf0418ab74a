import type { PermissionMode } from "@kumiko/permission-engine";
import { nearest } from "@kumiko/settings";
import * as Effect from "effect/Effect";
import { chooseModels, unknownFigures } from "../chooseModels.ts";
import type { Talk } from "./Talk.ts";

const modes: ReadonlyArray<readonly [PermissionMode, string]> = [
  ["plan", "read only"],
  ["ask", "writes need a yes"],
  ["accept-edits", "file writes in the folder are fine"],
  ["auto", "everything but what is forbidden; nobody is asked"],
];

/** `/mode`. */
export const switchMode = (mode: Talk, name: string): void => {
  const { mode: current, session } = mode.settings;
  if (name === "")
    return mode.say(
      modes.map(([one, about]) => `${one === current ? "*" : " "} ${one.padEnd(12)}  ${about}`).join("\n"),
    );
  const found = modes.find(([one]) => one === name);
  if (found === undefined) {
    const like = nearest(
      name,
      modes.map(([one]) => one),
      3,
    );
    return mode.note(`there is no mode ${name}. ${like === undefined ? "/mode lists them" : `Did you mean ${like}?`}`);
  }
  if (session.type === "memory") return mode.note(keptOnly);
  mode.settings = { ...mode.settings, mode: found[0] };
  mode.note(`${found[0]} mode from the next prompt on: ${found[1]}`);
};

const keptOnly = "that needs a session that is kept: start without --no-session, with the mode or model you want";

/** `/model`. */
export const switchModel = async (mode: Talk, name: string): Promise<void> => {
  const [model, ...fallbacks] = mode.settings.models;
  if (name === "") {
    mode.say(
      [
        `${model.isRehearsal === true ? "rehearsal: a prepared part is played, no model is asked" : model.id}`,
        ...fallbacks.map(({ id }) => `  stands in: ${id}`),
        "/model <provider/name> asks another one; kumiko models lists them",
      ].join("\n"),
    );
    return;
  }
  if (mode.settings.session.type === "memory") return mode.note(keptOnly);
  const models = await Effect.runPromise(chooseModels({ model: name, fallback: [], rehearsal: undefined }));
  mode.settings = { ...mode.settings, models, model: name };
  mode.note(`${models[0].id} is asked from the next prompt on`);
  const unknown = unknownFigures(models[0]);
  if (unknown !== undefined) mode.note(unknown);
};
