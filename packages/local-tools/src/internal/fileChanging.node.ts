import type { ToolContext, ToolDefinition } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import { abortable } from "./abortable.ts";
import { carryOut, changeOf, type FilePlan } from "./FilePlan.node.ts";
import { lookUp } from "./lookUp.node.ts";
import { absolutePath } from "./paths.node.ts";
import { realTarget } from "./realTarget.node.ts";
import { isSameFile, statsOf } from "./replaceFile.node.ts";

/** How long a file must have been left alone so that its times tell any later change. */
const settledMillis = 100;

type Parts<Input> = Required<Pick<ToolDefinition<Input>, "execute" | "lookup" | "prepare">>;

/**
 * The parts of a tool whose call changes one file: the plan is made before the call is written down, and carried out
 * by the call if the file is still as it was then; else, and where nothing was prepared, it is made anew.
 */
export const fileChanging = <Input extends { readonly path: string }>(
  plan: (input: Input, context: ToolContext) => Promise<FilePlan>,
): Parts<Input> => {
  const made = new WeakMap<Input, FilePlan>();
  const take = async (input: Input, context: ToolContext): Promise<FilePlan | undefined> => {
    const planned = made.get(input);
    made.delete(input);
    return planned !== undefined && (await holds(planned, input.path, context)) ? planned : undefined;
  };
  return {
    prepare: (input, context) =>
      abortable(async () => {
        const planned = await plan(input, context);
        if (isSettled(planned)) made.set(input, planned);
        return [changeOf(planned)];
      }),
    lookup: ({ path }, changes) => Effect.promise(() => lookUp(path, changes)),
    execute: (input, context) =>
      abortable(
        async (signal) => {
          const planned = (await take(input, context)) ?? (await plan(input, context));
          return carryOut(planned, context.changes, signal);
        },
        { waits: true },
      ),
  };
};

const isSettled = ({ before }: FilePlan): boolean =>
  before === undefined || Date.now() - before.stats.ctimeMs > settledMillis;

const holds = async (planned: FilePlan, path: string, { cwd, knownDigest }: ToolContext): Promise<boolean> => {
  try {
    const { before, target } = planned;
    if ((await realTarget(absolutePath(cwd, path))) !== target) return false;
    const isKnown = before === undefined || knownDigest(target) === before.state.digest;
    return isKnown && isSameFile(await statsOf(target), before?.stats);
  } catch {
    // Planning anew says what is wrong.
    return false;
  }
};
