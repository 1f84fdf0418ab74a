import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import * as Effect from "effect/Effect";
import { type Document, parseDocument } from "yaml";
import { BadInput } from "../BadInput.ts";
import { workingFolder } from "../checkFolders.ts";
import type { ChangeLine } from "../configCommand.ts";
import { messageOf } from "../messageOf.ts";
import { notForAgents } from "../notForAgents.ts";
import { printable } from "../printable.ts";
import { schemaFile } from "../schemaFile.ts";
import { settingsText } from "../settingsText.ts";
import { shortFolder } from "../sessions/words.ts";
import type { LayerName } from "./Config.ts";
import type { ConfigFile } from "./ConfigFile.ts";
import { configFiles } from "./configFiles.ts";
import { type ConfigKey, configKey } from "./configKey.ts";
import { ignoredLines } from "./configLines.ts";
import { parseConfig, readConfig } from "./readConfig.ts";
import { writeConfig } from "./writeConfig.ts";

/** A file that is changed. */
interface Place {
  readonly layer: Extract<LayerName, "user" | "project" | "local">;
  readonly cwd: string;
  readonly file: string;
}

/** `kumiko config set`. */
export const setConfig = Effect.fnUntraced(function* ({
  key: name,
  values,
  ...line
}: ChangeLine & { readonly key: string; readonly values: ReadonlyArray<string> }): Effect.fn.Return<void, BadInput> {
  const key = yield* configKey(name);
  const place = yield* placeOf(line, key);
  yield* change(place, (document) =>
    Effect.map(valueOf(key, values), (value) => document.setIn(name.split("."), value)),
  );
  say(`${name} is set in ${shortFolder(place.file, 200)}`);
  for (const ignored of ignoredLines((yield* readConfig(place.cwd)).ignored)) say(`! ${ignored}`);
});

/** `kumiko config unset`. */
export const unsetConfig = Effect.fnUntraced(function* ({
  key: name,
  ...line
}: ChangeLine & { readonly key: string }): Effect.fn.Return<void, BadInput> {
  const place = yield* placeOf(line, yield* configKey(name));
  const path = name.split(".");
  let isThere = false;
  yield* change(place, (document) =>
    Effect.sync(() => {
      isThere = document.hasIn(path);
      if (isThere) document.deleteIn(path);
    }),
  );
  say(`${name} is ${isThere ? "no longer" : "not"} set in ${shortFolder(place.file, 200)}`);
});

/**
 * Allows rules for good in a folder: in the user's own file, under `folders`. What is there already is not written
 * twice. Gives the file.
 */
export const allowInFolder = Effect.fnUntraced(function* (
  cwd: string,
  rules: ReadonlyArray<string>,
): Effect.fn.Return<string, BadInput> {
  const place: Place = { layer: "user", cwd, file: configFiles(cwd).user };
  const path = ["folders", cwd, "permissions", "allow"];
  yield* change(place, (document, { folders }) =>
    Effect.sync(() => {
      const known = folders?.[cwd]?.permissions?.allow ?? [];
      document.setIn(path, [...known, ...rules.filter((rule) => !known.includes(rule))]);
    }),
  );
  return place.file;
});

/** `kumiko config edit`. */
export const editConfig = Effect.fnUntraced(function* (line: ChangeLine): Effect.fn.Return<void, BadInput> {
  const place = yield* placeOf(line);
  const { file } = place;
  const editor = (process.env["VISUAL"] || process.env["EDITOR"] || "").trim();
  if (editor === "")
    return yield* new BadInput({ detail: `neither $VISUAL nor $EDITOR names an editor; the file is ${file}` });
  if (!existsSync(file))
    yield* writeConfig(file, header(place), { before: undefined, isShared: place.layer !== "user" });
  const code = yield* Effect.tryPromise({
    try: () =>
      new Promise<number | null>((done, fail) => {
        // As git does: $EDITOR may hold arguments, so a shell reads it; the file is handed over, never read by it.
        const child = spawn("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
        child.on("error", fail);
        child.on("close", done);
      }),
    catch: (error) =>
      new BadInput({ detail: `the editor ${JSON.stringify(editor)} cannot be started: ${messageOf(error)}` }),
  });
  if (code !== 0) return yield* new BadInput({ detail: `the editor ${JSON.stringify(editor)} ended with ${code}` });
  const text = yield* settingsText(file);
  if (text !== undefined) yield* parseConfig(text, file);
  for (const ignored of ignoredLines((yield* readConfig(place.cwd)).ignored)) say(`! ${ignored}`);
});

const placeOf = Effect.fnUntraced(function* (
  { cwd: given, local, project }: ChangeLine,
  key?: ConfigKey,
): Effect.fn.Return<Place, BadInput> {
  yield* notForAgents("changing the settings");
  if (local && project)
    return yield* new BadInput({ detail: "--project and --local name two files; give one of them" });
  const cwd = yield* workingFolder(given ?? ".");
  const layer = project ? "project" : local ? "local" : "user";
  const isTightening = key === undefined || ["deny", "ask", "mode", "maxTurns"].includes(key.key);
  if (layer !== "user" && !isTightening)
    return yield* new BadInput({
      detail: `a file of the project can only tighten what you allow, and ${key?.name} does not: leave out --${layer}`,
    });
  return { layer, cwd, file: resolve(configFiles(cwd)[layer]) };
});

const change = Effect.fnUntraced(function* (
  place: Place,
  apply: (document: Document, current: ConfigFile) => Effect.Effect<void, BadInput>,
): Effect.fn.Return<void, BadInput> {
  const { file } = place;
  const before = yield* settingsText(file);
  const current = yield* parseConfig(before ?? "", file);
  const document = parseDocument(before ?? header(place));
  yield* apply(document, current);
  const text = document.toString({ lineWidth: 0 });
  // The file itself is fine: what does not fit is what was given.
  yield* Effect.mapError(
    parseConfig(text, file),
    ({ detail }) => new BadInput({ detail: `nothing is changed: ${detail.replace(/^.*?:\d+:\d+: /s, "")}` }),
  );
  if (text !== before) yield* writeConfig(file, text, { before, isShared: place.layer !== "user" });
});

const valueOf = (key: ConfigKey, values: ReadonlyArray<string>): Effect.Effect<unknown, BadInput> => {
  if (key.type === "list") return Effect.succeed([...values]);
  const [text = "", ...more] = values;
  if (more.length > 0) return Effect.fail(new BadInput({ detail: `${key.name} has one value; quote it` }));
  if (key.key === "plain" && /^(?:true|false)$/.test(text)) return Effect.succeed(text === "true");
  return Effect.succeed(key.key === "maxTurns" && /^\d{1,6}$/.test(text) ? Number(text) : text);
};

const header = ({ layer }: Place): string =>
  layer === "user" && existsSync(schemaFile) ? `# yaml-language-server: $schema=${schemaFile}\n` : "";

const say = (text: string): void => void process.stdout.write(`${printable(text)}\n`);
