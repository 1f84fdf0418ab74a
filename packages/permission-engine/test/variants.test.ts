import { describe, it } from "vitest";
import { variants } from "./cases/variants.ts";
import { expectAll, policyOf } from "./support.ts";

describe("variants of the recorded cases", () => {
  it.each(variants.map(({ kind, ...rest }) => [kind, rest] as const))("%s", (_, { verdicts, allow, commands }) =>
    expectAll(verdicts, commands, policyOf({ allow })),
  );
});
