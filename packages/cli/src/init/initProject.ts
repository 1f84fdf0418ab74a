import { open, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { workingFolder } from "../checkFolders.ts";
import { messageOf } from "../messageOf.ts";
import { printable } from "../printable.ts";
import { settingsText } from "../settingsText.ts";
import { projectCommands, type ProjectFiles, readForFacts } from "./ProjectFacts.ts";
import { agentsText, configText, localFile } from "./projectTexts.ts";
import { makeFolder } from "@kumiko/local-tools";

interface InitLine {
  readonly cwd: string | undefined;
  readonly dryRun: boolean;
}

/** `kumiko init`. */
export const initProject = Effect.fnUntraced(function* ({
  cwd: given,
  dryRun,
}: InitLine): Effect.fn.Return<void, BadInput> {
  const cwd = yield* workingFolder(given ?? ".");
  const files = yield* filesOf(cwd);
  const write = dryRun ? show : writeNew;
  yield* write(cwd, "AGENTS.md", agentsText(projectCommands(files)));
  yield* write(cwd, ".kumiko/config.yaml", configText);
  if (files.names.has(".gitignore")) yield* ignoreLocal(cwd, dryRun);
  if (!dryRun) say("Read AGENTS.md, and write into it what only you know.");
});

const filesOf = Effect.fnUntraced(function* (cwd: string): Effect.fn.Return<ProjectFiles, BadInput> {
  const names = new Set(
    yield* Effect.tryPromise({
      try: () => readdir(cwd),
      catch: (error) => new BadInput({ detail: `cannot list ${cwd}: ${messageOf(error)}` }),
    }),
  );
  const texts = new Map<string, string>();
  for (const name of readForFacts)
    if (names.has(name)) {
      // What cannot be read tells nothing; it is no reason to write no file.
      const text = yield* Effect.orElseSucceed(settingsText(join(cwd, name)), () => undefined);
      if (text !== undefined) texts.set(name, text);
    }
  return { names, texts };
});

const show = (_cwd: string, name: string, text: string): Effect.Effect<void, BadInput> =>
  Effect.sync(() => say(`${name} would be:\n\n${text.replaceAll(/^(?=.)/gm, "    ")}`));

const writeNew = (cwd: string, name: string, text: string): Effect.Effect<void, BadInput> =>
  Effect.tryPromise({
    try: async () => {
      const path = join(cwd, name);
      makeFolder(dirname(path));
      try {
        await using file = await open(path, "wx", 0o644);
        await file.writeFile(text);
        say(`wrote ${name}`);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
        say(`${name} is there already, and stays as it is`);
      }
    },
    catch: (error) => new BadInput({ detail: `cannot write ${name}: ${messageOf(error)}` }),
  });

const ignoreLocal = (cwd: string, dryRun: boolean): Effect.Effect<void, BadInput> =>
  Effect.tryPromise({
    try: async () => {
      const text = await readFile(join(cwd, ".gitignore"), "utf8");
      if (text.split(/\r?\n/).some((line) => [localFile, `/${localFile}`, ".kumiko/"].includes(line.trim()))) return;
      if (dryRun) return say(`.gitignore would get the line ${localFile}`);
      await using file = await open(join(cwd, ".gitignore"), "a");
      await file.writeFile(`${text === "" || text.endsWith("\n") ? "" : "\n"}${localFile}\n`);
      say(`.gitignore has ${localFile} now`);
    },
    catch: (error) => new BadInput({ detail: `cannot change .gitignore: ${messageOf(error)}` }),
  });

const say = (text: string): void => void process.stdout.write(`${printable(text).trimEnd()}\n`);
