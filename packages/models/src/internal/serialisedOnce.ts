/** How many texts {@link textOnce} keeps; the oldest goes. A gateway's sessions share a few system prompts. */
const keptTexts = 64;

/**
 * Serialises each value once, by identity: for what is immutable. As text, not as bytes: a small byte array costs 200
 * bytes more than it holds, and a session holds many.
 */
export const valueOnce = <A extends object>(serialise: (value: A) => string): ((value: A) => string) => {
  const texts = new WeakMap<A, string>();
  return (value) => {
    const known = texts.get(value);
    if (known !== undefined) return known;
    const text = serialise(value);
    texts.set(value, text);
    return text;
  };
};

/** As {@link valueOnce}, for texts: the last 64 are kept. */
export const textOnce = (serialise: (text: string) => string): ((text: string) => string) => {
  const texts = new Map<string, string>();
  return (value) => {
    const known = texts.get(value);
    if (known !== undefined) return known;
    const text = serialise(value);
    const [oldest] = texts.keys();
    if (oldest !== undefined && texts.size >= keptTexts) texts.delete(oldest);
    texts.set(value, text);
    return text;
  };
};

/** The fields of an object as they stand in the middle of another: `,"a":1`; nothing for an empty one. */
export const moreFields = (fields: object | undefined): string => {
  const text = JSON.stringify(fields ?? {});
  return text === "{}" ? "" : `,${text.slice(1, -1)}`;
};
