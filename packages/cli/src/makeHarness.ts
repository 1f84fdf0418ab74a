import { defineHarness, type Harness } from "@kumiko/core-loop";
import { layerSqlite } from "@kumiko/journal/sqlite";
import { auditLog, contextFiles, localTools, sessionSearchTool } from "@kumiko/local-tools";
import { type Grants, permissionEngine } from "@kumiko/permission-engine";
import type { Tool } from "@kumiko/plugin-api";
import type { Answer, Question } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import type { Settings } from "./checkCommandLine.ts";

/** Puts a question to somebody; `signal` says that there is an answer from elsewhere. */
export type Asking = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** The harness of the command line: nothing but packages, put together. */
export const makeHarness = (settings: Settings, ask: Asking | undefined, grants?: Grants): Harness => {
  const {
    allow,
    ask: questions,
    auditLog: file,
    cwd,
    deny,
    hosts,
    maxTurns,
    mode,
    models,
    questionTimeoutMillis,
    session,
    unattended,
    workspaceRoots,
  } = settings;
  return defineHarness({
    model: models,
    permissions: permissionEngine({
      mode,
      allow,
      ask: questions,
      deny,
      workspaceRoots,
      network: { allow: hosts },
      ...(grants === undefined ? {} : { grants }),
    }),
    plugins: [localTools({ root: cwd }), contextFiles({ root: cwd }), auditLog({ file })],
    unattended,
    ...(session.type === "memory"
      ? {}
      : { sessions: layerSqlite({ directory: session.directory }), tools: [searching(session.directory)] }),
    ...(maxTurns === undefined ? {} : { maxIterations: maxTurns }),
    ...(questionTimeoutMillis === undefined ? {} : { questionExpiryMillis: questionTimeoutMillis }),
    ...(ask === undefined
      ? {}
      : { onQuestion: (question: Question) => Effect.promise((signal) => ask(question, signal)) }),
  });
};

// Loaded when it is first used.
const searching = (directory: string): Tool =>
  sessionSearchTool({
    folder: directory,
    search: (wanted) =>
      Effect.flatMap(
        Effect.promise(() => import("./sessions/searchForTool.ts")),
        ({ searchForTool }) => searchForTool(directory, wanted),
      ),
  });
