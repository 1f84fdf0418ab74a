/** What every provider takes as the name of a tool, and as an id of a call. */
const safe = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * A name as it can be sent. One that no provider takes (a model may make up any) is changed, always in the same way: as
 * much of it as is safe, and a digest, so that different names stay different. One refused name would otherwise make
 * every later request of its conversation fail.
 */
export const wireName = (name: string): string => (safe.test(name) ? name : changed(name));

/** An id of a call as a format without rules for them takes it: only what is long or not to be printed is changed. */
export const wireId = (id: string): string => (/^[\x21-\x7e]{1,64}$/.test(id) ? id : changed(id));

const changed = (name: string): string =>
  `${name.slice(0, 40).replace(/[^a-zA-Z0-9_-]/g, "_")}_${digestOf(name).toString(36)}`;

// FNV-1a of 52 bits: nobody gains anything by making two names of one conversation alike.
const digestOf = (text: string): number => {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
};
