import type { CommandEnd } from "./runCommand.node.ts";

const maxNames = 5;

/** How a command ended, and what of it still ran then, in words; the last line is the outcome itself. */
export const commandOutcome = (
  { durationMillis, exit, rest }: CommandEnd,
  stopped: string,
): readonly [...ReadonlyArray<string>, string] => {
  const outcome =
    exit === undefined
      ? `${stopped}: it was ended, with all it had started`
      : `${exit.signal === null ? `exit code ${exit.code}` : `ended by ${exit.signal}`}, ${shownDuration(durationMillis)}`;
  return [
    ...(exit === undefined || rest.ended.length === 0
      ? []
      : [`(still running in the background when the command ended, and ended with it: ${namesOf(rest.ended)})`]),
    ...(rest.left.length === 0 ? [] : [`(could not be ended, the operating system holds it: ${namesOf(rest.left)})`]),
    `(${outcome})`,
  ];
};

/** A duration as people say it. */
export const shownDuration = (millis: number): string => {
  if (millis < 1000) return `${Math.round(millis)} ms`;
  const seconds = millis / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
};

const namesOf = (processes: CommandEnd["rest"]["ended"]): string => {
  const shown = processes.slice(0, maxNames).map(({ name, pid }) => `${JSON.stringify(name).slice(1, -1)} ${pid}`);
  const more = processes.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
};
