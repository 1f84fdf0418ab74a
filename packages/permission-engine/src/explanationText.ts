import type { CommandEffect, Risk, Verdict } from "@kumiko/plugin-api";
import type { Explanation, PartExplanation } from "./explainCommand.ts";
import { shorten, visible } from "./internal/visible.ts";

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
  read: "It only reads.",
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
  for (const [index, part] of parts.slice(0, mostParts).entries()) lines.push(`${index + 1}. ${sentence(part)}`);
  if (count > mostParts) lines.push(`… and ${count - mostParts} more.`);
  return shorten(lines.join("\n"), mostCharacters);
};

const sentence = ({ part, runs, verdict, reason, effects }: PartExplanation): string => {
  const passed = runs === undefined ? "" : ` (it runs ${shown(runs, 80)})`;
  return `${shown(part, 120)}${passed}: ${partVerdicts[verdict]}, because ${shown(reason, 300)}.${told(effects)}`;
};

const told = (effects: ReadonlyArray<CommandEffect>): string => {
  if (effects.length === 0) return "";
  const named = effects.slice(0, mostEffects).map(({ kind, target }) => `${deeds[kind]} ${shown(target, 80)}`);
  const rest = effects.length - named.length;
  return ` It ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
};

const shown = (text: string, most: number): string => visible(shorten(text, most));
