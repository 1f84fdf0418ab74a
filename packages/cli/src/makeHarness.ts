import { defineHarness, type Harness } from "@kumiko/core-loop";
import { auditLog, contextFiles, localTools } from "@kumiko/local-tools";
import { permissionEngine } from "@kumiko/permission-engine";
import type { Answer, Question } from "@kumiko/runtime-api";
import type { Settings } from "./checkCommandLine.ts";

/** The harness of the command line: nothing but packages, put together. */
export const makeHarness = (
  { allow, auditLog: file, cwd, deny, maxTurns, mode, model }: Settings,
  onQuestion: ((question: Question) => Promise<Answer>) | undefined,
): Harness =>
  defineHarness({
    model,
    permissions: permissionEngine({ mode, allow: [...allow], deny: [...deny] }),
    plugins: [localTools({ root: cwd }), contextFiles({ root: cwd }), auditLog({ file })],
    ...(maxTurns === undefined ? {} : { maxIterations: maxTurns }),
    ...(onQuestion === undefined ? {} : { onQuestion }),
  });
