import { type AssistantMessage, canonicalJson, isTooDeep, toolCallsOf, type ToolMessage } from "@kumiko/plugin-api";

/** Shorter results are shown again: to point to them saves nothing. In characters. */
const shortestShown = 500;
/** Calls with larger arguments are not kept in mind, in characters. */
const longestKey = 500;

/** What stands instead of a result that the model has above. */
export const unchangedText = "(unchanged: the same call was made before, and its result above still holds)";

/**
 * The results that stand whole in a conversation, by the call that gave them: what a model is shown again only where it
 * has changed. A projection of the messages, as they are.
 */
export class ShownResults {
  readonly #texts = new Map<string, string>();

  /** Works in the results of a reply's calls. */
  take(reply: AssistantMessage | undefined, { parts }: ToolMessage): void {
    if (reply === undefined) return;
    for (const { id, input, name } of toolCallsOf(reply)) {
      const result = parts.find(({ callId }) => callId === id);
      if (result === undefined || result.text === unchangedText) continue;
      const key = keyOf(name, input);
      if (key === undefined) continue;
      const isWhole = result.status === "ok" && result.kept === undefined && (result.images ?? []).length === 0;
      if (isWhole && result.text.length >= shortestShown) this.#texts.set(key, result.text);
      // What it shows now is something else.
      else this.#texts.delete(key);
    }
  }

  /** Whether the latest result of an equal call stands above, and says just this. */
  has(name: string, input: Parameters<typeof canonicalJson>[0], text: string): boolean {
    if (this.#texts.size === 0 || text.length < shortestShown) return false;
    const key = keyOf(name, input);
    return key !== undefined && this.#texts.get(key) === text;
  }
}

const keyOf = (name: string, input: Parameters<typeof canonicalJson>[0]): string | undefined => {
  if (isTooDeep(input)) return undefined;
  const key = `${name} ${canonicalJson(input)}`;
  return key.length > longestKey ? undefined : key;
};
