import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { checkScript, type Fault } from "./differentialCheck.ts";
import { bash, makeSandbox } from "./differentialSandbox.ts";
import { scriptOf } from "./generatorScript.ts";

// As many scripts really run: those that the gate does not allow are made and judged besides.
const wanted = soak.numRuns === 200 ? 2_000 : soak.numRuns;
const sandboxes = 3;
const mostFaults = 20;

describe.skipIf(!existsSync(bash))("what Bash really runs of an allowed script", () => {
  it(
    "is among the parts it was taken into, with these arguments, and was not denied",
    { timeout: 3_600_000 },
    async () => {
      const version = execFileSync(bash, ["--version"], { encoding: "utf8" }).split("\n")[0] ?? "";
      const faults: Array<Fault & { readonly seed: number }> = [];
      const count = { made: 0, run: 0, calls: 0, cut: 0 };
      const work = async (): Promise<void> => {
        using sandbox = makeSandbox();
        while (count.run < wanted && faults.length < mostFaults) {
          const seed = soak.seed * 1_000_003 + count.made++;
          const { isRun, isCut, calls, fault } = await checkScript(scriptOf(seed), sandbox);
          if (isRun) count.run++;
          if (isCut) count.cut++;
          count.calls += calls;
          if (fault !== undefined) faults.push({ ...fault, seed });
        }
      };
      await Promise.all(Array.from({ length: sandboxes }, work));
      console.log(
        `differential: ${version}: ${count.run} allowed scripts of ${count.made} run (first seed ${soak.seed * 1_000_003}), ` +
          `${count.calls} programs started, ${count.cut} stopped at the time limit, ${faults.length} faults`,
      );
      expect(faults).toEqual([]);
      // Else the comparison would say nothing: most is asked about, or nothing runs.
      expect(count.run).toBeGreaterThan(count.made / 4);
      expect(count.calls).toBeGreaterThan(count.run);
      expect(count.cut).toBeLessThan(Math.max(5, count.run / 100));
    },
  );
});
