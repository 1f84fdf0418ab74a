/** What a view holds at most. What goes beyond is dropped from its old end and counted. */
export const bounds = {
  /** A face shows a session: the runs before these are in its journal. */
  runs: 32,
  /** Entries of one run's timeline. A long run makes some thousand calls; nobody scrolls further back in a face. */
  items: 2_000,
  /** Characters of a reply that is not finished; the finished message has all of it. */
  draftCharacters: 1_000_000,
  /** Characters of a call's progress. */
  progressCharacters: 16_384,
  /** Entries of a todo list. */
  todoItems: 200,
  openApprovals: 100,
} as const;
