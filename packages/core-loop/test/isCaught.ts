/** Runs what a suite registers at once, on fewer walks, and says whether any of it fails: whether it catches a seeded fault. */
export const isCaught = <Machine>(
  suite: (machine: Machine, test: (name: string, run: () => void) => void, numRuns?: number) => void,
  machine: Machine,
): boolean => {
  let caught = false;
  suite(
    machine,
    (_name, run) => {
      if (caught) return;
      try {
        run();
      } catch {
        caught = true;
      }
    },
    40,
  );
  return caught;
};
