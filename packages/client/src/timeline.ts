import { bounds } from "./bounds.ts";
import type { CallView, Draft, RunView, TimelineItem } from "./View.ts";

/** A run with one more entry; the oldest one goes where there are too many. */
export const withItem = (run: RunView, item: TimelineItem): RunView => withItems(run, [item]);

export const withItems = (run: RunView, added: ReadonlyArray<TimelineItem>): RunView => {
  if (added.length === 0) return run;
  const items = [...run.items, ...added];
  const excess = Math.max(items.length - bounds.items, 0);
  return { ...run, items: excess === 0 ? items : items.slice(excess), droppedItems: run.droppedItems + excess };
};

/** A run in which a call is changed, or added where it is not there yet; undefined leaves it out. */
export const withCall = (
  run: RunView,
  callId: string,
  change: (call: CallView | undefined) => CallView | undefined,
): RunView => {
  const index = run.items.findLastIndex((item) => item.type === "call" && item.callId === callId);
  const item = run.items[index];
  const before = item?.type === "call" ? item : undefined;
  const after = change(before);
  if (after === undefined || after === before) return run;
  const isRunning = (call: CallView | undefined): number => (call?.status === "running" ? 1 : 0);
  const runningCalls = run.runningCalls + isRunning(after) - isRunning(before);
  return before === undefined
    ? { ...withItem(run, after), runningCalls }
    : { ...run, items: run.items.with(index, after), runningCalls };
};

// Cut to half the bound's double: cutting at every piece would copy everything each time.
const tail = (text: string, most: number): string => (text.length <= 2 * most ? text : text.slice(-most));

export const appendProgress = (call: CallView, text: string): CallView => ({
  ...call,
  progress: tail(call.progress + text, bounds.progressCharacters),
});

export const draftWith = (draft: Draft, kind: "reasoning" | "text", text: string): Draft => {
  const whole = draft[kind] + text;
  const kept = tail(whole, bounds.draftCharacters);
  return { ...draft, [kind]: kept, isCut: draft.isCut || kept.length < whole.length };
};
