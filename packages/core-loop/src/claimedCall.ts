import { writesCall } from "./callAsText.ts";

/**
 * What a reply claims although it made no call. `call-as-text`: it writes a call out as text, which runs nothing; `result`:
 * it tells of a change that no call has made; `refused-result`: it reports success of a call that was refused.
 */
export type ClaimedCall = "call-as-text" | "result" | "refused-result";

/** What is known when a reply without calls is looked at. */
export interface ReplyFacts {
  /** The tools there are, by name. */
  readonly toolNames: { readonly size: number; readonly has: (name: string) => boolean };
  /** A call has run in this conversation. */
  readonly hasWorked: boolean;
  /** The last results held a refusal. */
  readonly wasRefused: boolean;
}

/** Longest text that is looked at; a call written as text, or a claim, stands at the beginning or the end. */
const maxLength = 20_000;

/**
 * Finds out whether a reply without calls claims one. A false alarm costs a model call and a good answer, so it hears only
 * what is plain: a call that is announced or stands alone, not one that is introduced as an example or that prose follows;
 * a change said to be made to files, not to a text that stands in the reply. English only.
 *
 * @example
 * ```ts
 * const facts = { toolNames: new Set(["bash"]), hasWorked: false, wasRefused: false }
 * claimedCall('<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>', facts) // => "call-as-text"
 * claimedCall('A call looks like `<tool_call>{"name": "bash"}</tool_call>`.', facts) // => undefined
 * ```
 */
export const claimedCall = (reply: string, facts: ReplyFacts): ClaimedCall | undefined => {
  // Without tools there is no call to make instead.
  if (facts.toolNames.size === 0) return undefined;
  const text = reply.length > maxLength ? `${reply.slice(0, maxLength / 2)}\n${reply.slice(-maxLength / 2)}` : reply;
  if (writesCall(text, facts.toolNames)) return "call-as-text";
  if (facts.wasRefused && claimsSuccess(text)) return "refused-result";
  return !facts.hasWorked && claimsChange(text) ? "result" : undefined;
};

const admitsRefusal =
  /\b(?:denied|refused|declined|blocked|rejected|forbidden|permission|not (?:allowed|permitted|run|executed|done)|(?:could|did|was|were|has|have|will|is|are|can) ?n(?:o|['’])t|cannot|unable|never)\b/i;
const success =
  /^done\s*(?:[!.—-]|$)|\b(?:completed|ran|executed|finished|deleted|created|written|removed|updated) successfully\b|\bsuccessfully (?:completed|ran|executed|finished|deleted|created|wrote|removed|updated)\b|\bthe (?:command|task|operation|script|request)\b.{0,60}\b(?:completed|finished|succeeded|ran|executed|worked)\b/i;

// Who says anywhere that something was refused has understood it, whatever else went well.
const claimsSuccess = (text: string): boolean =>
  !admitsRefusal.test(text) && sentencesOf(text).some((sentence) => success.test(sentence));

const path = "`?[\\w~./-]{1,80}\\.[a-z]{1,5}`?";
const thing = `(?:files?|folders?|director(?:y|ies)|config(?:uration)?s?|scripts?|tests?|modules?|components?|endpoints?|repo(?:sitory)?|branch(?:es)?|commits?|pull requests?|database|packages?|dependenc(?:y|ies)|${path})(?![\\w-])`;
const verb =
  "(?:created|updated|deleted|wrote|written|modified|edited|fixed|renamed|moved|installed|removed|added|ran|run|executed|committed|pushed|saved|refactored|changed|built|deployed)";
const changes: ReadonlyArray<RegExp> = [
  new RegExp(
    `^(?:[\\w ]{0,20}[!,.:] )?I(?:['’]ve| have)?(?: also| now| just| successfully| gone ahead and){0,2} ${verb} (?:[\\w\`'’-]{1,20} ){0,3}?${thing}`,
    "i",
  ),
  new RegExp(`^successfully ${verb} (?:[\\w\`'’-]{1,20} ){0,3}?${thing}`, "i"),
  new RegExp(
    `^(?:The (?:\\w{1,20} ){0,2}${thing}|${path}) (?:has|have) (?:now )?been (?:successfully )?${verb}\\b`,
    "i",
  ),
  /^all (?:\d+ )?(?:of )?(?:the )?tests (?:now )?pass(?:ed)?\b/i,
];
// It is about another time, somebody else's work, or a text that is here.
const isElsewhere =
  /\b(?:not|never|if|once|after|when|would|should|could|will|draft|example|sample|below|above|following|here|earlier|yesterday|you (?:posted|pasted|sent|shared|gave|provided|showed)|section|snippet|explanation|answer|plan)\b|n['’]t\b|[?:]$/i;

const claimsChange = (text: string): boolean =>
  // What is shown in a block is what was written.
  !text.includes("```") &&
  sentencesOf(text).some((sentence) => !isElsewhere.test(sentence) && changes.some((change) => change.test(sentence)));

/** Only so many, and so much of each: a longer one is no sentence. */
const sentencesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/(?<=[.!?])\s|\n/, 400)
    .map((sentence) => sentence.slice(0, 400).trim())
    .filter((sentence) => sentence !== "");
