import type { CommandEffect, Risk, Verdict } from "@kumiko/plugin-api";
import type { Explanation, PartExplanation } from "./explainCommand.ts";
import { gravest } from "./gravest.ts";
import { shortenMiddle, visible } from "./internal/visible.ts";

/** Longer explanations are cut: nobody reads on. */
const mostCharacters = 8000;
const mostParts = 40;
const mostEffects = 8;
const mostOfCommand = 200;

const verdicts: Readonly<Record<Verdict, string>> = {
  "hard-block": "This command is refused for good",
  deny: "This command is denied",
  ask: "This command needs your word",
  allow: "This command may run",
};

const partVerdicts: Readonly<Record<Verdict, string>> = {
  "hard-block": "refused for good",
  deny: "denied",
  ask: "asks",
  allow: "allowed",
};

const risks: Readonly<Record<Risk, string>> = {
  read: "It changes nothing: at most it reads.",
  "local-write": "At worst it changes things on this machine.",
  "remote-write": "At worst it changes things elsewhere, or nobody here can tell.",
  irreversible: "At worst it does what cannot be undone.",
};

const deeds: Readonly<Record<CommandEffect["kind"], string>> = {
  read: "reads",
  write: "writes",
  delete: "takes away",
  execute: "runs",
  connect: "talks to",
  unknown: "does what is not known:",
};

/**
 * An explanation as sentences. At most 8 000 characters; whatever in a command hides, moves or reorders text is shown as
 * an escape, so that the text is what it seems.
 */
export const explanationText = (explanation: Explanation): string => {
  const { command, decision, doubts, moreParts, parts } = explanation;
  const lines = [
    `${verdicts[decision.verdict]}: ${shown(decision.reason, 400)}.`,
    `It says: ${shown(command, mostOfCommand)}`,
    ...(decision.part === undefined ? [] : [`What decided: ${shown(decision.part, mostOfCommand)}`]),
    risks[decision.risk],
  ];
  for (const doubt of doubts.slice(0, 3))
    lines.push(`Not understood: ${shown(doubt.reason, 200)}, in ${shown(doubt.source, 80)}`);
  const count = parts.length + moreParts;
  if (count > 0) lines.push("", count === 1 ? "It would run one thing:" : `It would run ${count} things:`);
  const listed: Array<string> = [];
  let room = mostCharacters - lines.join("\n").length;
  // Those that decide come first, whatever stands before them in the text.
  for (const part of gravest(parts, mostParts, gravity).toSorted((a, b) => gravity(b) - gravity(a))) {
    const line = `${parts.indexOf(part) + 1}. ${sentence(part)}`;
    room -= line.length + 1;
    if (room < 100) break;
    listed.push(line);
  }
  const hidden = count - listed.length;
  const inOrder = hidden === 0 ? listed.toSorted((a, b) => Number.parseInt(a) - Number.parseInt(b)) : listed;
  lines.push(...inOrder, ...(hidden > 0 ? [`… and ${hidden} more that are not shown. The gravest stand first.`] : []));
  return lines.join("\n");
};

const order: Readonly<Record<Verdict | Risk, number>> = {
  allow: 0,
  ask: 10,
  deny: 20,
  "hard-block": 30,
  read: 0,
  "local-write": 1,
  "remote-write": 2,
  irreversible: 3,
};
const gravity = ({ risk, verdict }: PartExplanation): number => order[verdict] + order[risk];

const sentence = ({ effects, moreEffects = 0, reason, runs, source, verdict }: PartExplanation): string => {
  const passed = runs === undefined ? "" : ` (it runs ${shown(runs, 80)})`;
  return `${shown(source, 120)}${passed}: ${partVerdicts[verdict]}, because ${shown(reason, 300)}.${told(effects, moreEffects)}`;
};

const told = (effects: ReadonlyArray<CommandEffect>, moreEffects: number): string => {
  if (effects.length === 0) return "";
  const named = effects.slice(0, mostEffects).map(({ kind, target }) => `${deeds[kind]} ${shown(target, 80)}`);
  const rest = effects.length - named.length + moreEffects;
  return ` It ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
};

const shown = (text: string, most: number): string => visible(shortenMiddle(text, most));
