import { replay } from "@kumiko/machine-kit";
import { machineFamilies, mutantOf, type ReferenceModel } from "@kumiko/machine-kit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { type ToolCallEvent, type ToolCallIntent, toolCallMachine } from "../src/index.ts";
import { isCaught } from "./isCaught.ts";

const alphabet: ReadonlyArray<ToolCallEvent> = [
  { type: "call.rejected" },
  { type: "call.reused", status: "ok" },
  { type: "call.accepted" },
  { type: "rules.allowed" },
  { type: "rules.asked" },
  { type: "rules.refused" },
  { type: "plugins.passed" },
  { type: "plugins.asked" },
  { type: "plugins.rewrote" },
  { type: "plugins.blocked" },
  { type: "user.approved", inputDigest: "d" },
  { type: "user.denied" },
  { type: "call.foundOpen" },
  { type: "call.notDone" },
  { type: "call.outcomeUnknown" },
  { type: "call.started" },
  { type: "call.succeeded" },
  { type: "call.failed" },
  { type: "call.cancelled" },
];
// What was found open leaves its walk soon: more of it, so that each way out is taken.
const events = fc.constantFrom(...alphabet, { type: "call.foundOpen" } as const, { type: "call.foundOpen" } as const);
const input = fc.constant(undefined);
type Machine = typeof toolCallMachine;

interface State {
  readonly phase:
    | "proposed"
    | "recovering"
    | "checking.ruling"
    | "checking.consulting"
    | "asking"
    | "admitted"
    | "running"
    | "settled";
  readonly rulesAsk: boolean;
  readonly rewrote: boolean;
}
const to = (state: State, phase: State["phase"], ...intents: ReadonlyArray<string>) => ({
  state: { ...state, phase },
  intents: intents.map((name) => `intent.${name}`),
});

const model: ReferenceModel<Machine, State> = {
  start: () => to({ phase: "proposed", rulesAsk: false, rewrote: false }, "proposed", "inspectCall"),
  phase: ({ phase }) => phase,
  next: (state, { type }) => {
    const stay = to(state, state.phase);
    if (state.phase === "settled") return stay;
    if (type === "call.cancelled") return to(state, "settled");
    switch (state.phase) {
      case "proposed":
        if (type === "call.accepted") return to(state, "checking.ruling", "applyRules");
        if (type === "call.foundOpen") return to(state, "recovering", "recoverCall");
        return type === "call.rejected" || type === "call.reused" ? to(state, "settled") : stay;
      case "recovering":
        if (type === "call.notDone") return to(state, "checking.ruling", "applyRules");
        return type === "call.succeeded" || type === "call.outcomeUnknown" ? to(state, "settled") : stay;
      case "checking.ruling":
        if (type === "rules.refused") return to(state, "settled");
        if (type === "rules.allowed") return to(state, "checking.consulting", "consultPlugins");
        return type === "rules.asked"
          ? to({ ...state, rulesAsk: true }, "checking.consulting", "consultPlugins")
          : stay;
      case "checking.consulting":
        if (type === "plugins.blocked") return to(state, "settled");
        if (type === "plugins.asked") return to(state, "asking", "askUser");
        if (type === "plugins.passed")
          return state.rulesAsk ? to(state, "asking", "askUser") : to(state, "admitted", "admitCall");
        if (type !== "plugins.rewrote") return stay;
        return state.rewrote
          ? to(state, "settled")
          : to({ ...state, rewrote: true, rulesAsk: false }, "checking.ruling", "applyRules");
      case "asking":
        if (type === "user.approved") return to(state, "admitted", "admitCall");
        return type === "user.denied" ? to(state, "settled") : stay;
      case "admitted":
        return type === "call.started" ? to(state, "running", "executeCall") : stay;
      case "running":
        return type === "call.succeeded" || type === "call.failed" ? to(state, "settled") : stay;
    }
  },
};

/** How a call ends by its last event; a cancelled one also by what it was about. */
const endOf = (last: ToolCallEvent["type"] | undefined, intent: ToolCallIntent["type"] | undefined): string => {
  switch (last) {
    case "call.rejected":
      return "error invalid";
    case "call.reused":
      return "ok reused";
    case "rules.refused":
    case "user.denied":
      return "denied denied";
    case "plugins.blocked":
    case "plugins.rewrote":
      return "denied blocked";
    case "call.succeeded":
      return "ok executed";
    case "call.failed":
      return "error executed";
    case "call.outcomeUnknown":
      return "unknown executed";
    case "call.cancelled":
      if (intent === "intent.executeCall") return "cancelled executed";
      return intent === "intent.recoverCall" ? "unknown executed" : "cancelled cancelled";
    default:
      return `nothing ends with ${last}`;
  }
};

const suite = (machine: Machine, test: (name: string, run: () => void) => void, numRuns = soak.numRuns): void => {
  const families = machineFamilies(machine, { input, events, test, seed: soak.seed, numRuns });
  families.agreesWith(model, { inputs: [undefined], alphabet });
  families.always("executes only after it was admitted, and once", ({ intents }) => {
    const types = intents.map(({ type }) => type);
    const executed = types.filter((type) => type === "intent.executeCall").length;
    return executed <= 1 && (executed === 0 || types.includes("intent.admitCall"));
  });
  // What the rules said when they were asked; what comes unasked is nobody's word.
  let rules = "";
  families.always("is admitted only by the last rules, or by the user where they ask", (seen) => {
    const { events: said, intents, lastIntents } = seen;
    const last = said.at(-1)?.type ?? "";
    const asked = intents.slice(0, intents.length - lastIntents.length).at(-1)?.type;
    if (said.length === 0) rules = "";
    if (asked === "intent.applyRules" && last.startsWith("rules.")) rules = last;
    return (
      !lastIntents.some(({ type }) => type === "intent.admitCall") ||
      (asked === "intent.consultPlugins" ? rules === "rules.allowed" : last === "user.approved")
    );
  });
  test("a look-up that was cancelled leaves the outcome unknown", () => {
    const { snapshot } = replay(machine, undefined, [{ type: "call.foundOpen" }, { type: "call.cancelled" }]);
    expect(snapshot.context).toMatchObject({ status: "unknown", disposition: "executed" });
  });
  families.always("carries the digest the user approved into admission", ({ lastIntents, events: said }) =>
    lastIntents.every(
      (intent) =>
        intent.type !== "intent.admitCall" ||
        intent.approvedDigest === (said.at(-1)?.type === "user.approved" ? "d" : null),
    ),
  );
  families.always("executes what was found open only once that is known not to be done, as a new call", (seen) => {
    const types = seen.intents.map(({ type }) => type);
    const found = types.indexOf("intent.recoverCall");
    if (found < 0 || !types.includes("intent.executeCall")) return true;
    const taken = ["intent.applyRules", "intent.consultPlugins", "intent.admitCall", "intent.executeCall"] as const;
    const places = taken.map((type) => types.indexOf(type));
    return (
      seen.events.some(({ type }) => type === "call.notDone") &&
      places.every((place, at) => place > (at === 0 ? found : (places[at - 1] ?? place)))
    );
  });
  families.always("looks into a call that was found open, and does nothing else yet", ({ events: said, intents }) => {
    const at = intents.findIndex(({ type }) => type === "intent.recoverCall");
    return (
      at < 0 || (said.some(({ type }) => type === "call.foundOpen") && intents[at - 1]?.type === "intent.inspectCall")
    );
  });
  let end: string | undefined;
  families.always("says how it ended", ({ snapshot: { context, value }, events: said, intents }) => {
    if (said.length === 0) end = undefined;
    if (value !== "settled") return true;
    // Nothing after the event that settled it changes what came of it.
    end ??= endOf(said.at(-1)?.type, intents.at(-1)?.type);
    return end === `${context.status} ${context.disposition}`;
  });
  families.reachesEverything({
    inputs: [undefined],
    alphabet,
  });
  families.resumesAtAnyCut();
  families.isDeterministicAndTotal();
  families.replays([
    {
      name: "asked, rewritten, asked again, approved, run (0.1.0)",
      input: undefined,
      events: [
        { type: "call.accepted" },
        { type: "rules.asked" },
        { type: "plugins.rewrote" },
        { type: "rules.asked" },
        { type: "plugins.passed" },
        { type: "user.approved", inputDigest: "d" },
        { type: "call.started" },
        { type: "call.succeeded" },
      ],
      intents: [
        { type: "intent.inspectCall" },
        { type: "intent.applyRules" },
        { type: "intent.consultPlugins" },
        { type: "intent.applyRules" },
        { type: "intent.consultPlugins" },
        { type: "intent.askUser" },
        { type: "intent.admitCall", approvedDigest: "d" },
        { type: "intent.executeCall" },
      ],
    },
    {
      name: "found open, not done, allowed anew, run (0.1.0)",
      input: undefined,
      events: [
        { type: "call.foundOpen" },
        { type: "call.notDone" },
        { type: "rules.allowed" },
        { type: "plugins.passed" },
        { type: "call.started" },
        { type: "call.succeeded" },
      ],
      intents: [
        { type: "intent.inspectCall" },
        { type: "intent.recoverCall" },
        { type: "intent.applyRules" },
        { type: "intent.consultPlugins" },
        { type: "intent.admitCall", approvedDigest: null },
        { type: "intent.executeCall" },
      ],
    },
  ]);
};

describe("toolCallMachine", () => {
  suite(toolCallMachine, it);
});

describe("seeded faults in toolCallMachine are caught", () => {
  it("none in a plain copy", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, () => {}),
      ),
    ).toBe(false));

  it("refused calls are admitted", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, ({ states }) => {
          states!["checking"]!["states"]!["ruling"]!["on"]!["rules.refused"]!["target"] = "#toolCall.admitted" as never;
        }),
      ),
    ).toBe(true));

  it("a denial by the user is not heard", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, ({ states }) => delete states!["asking"]!["on"]!["user.denied"]),
      ),
    ).toBe(true));

  it("a call that the rules want asked is admitted unasked", () =>
    expect(isCaught(suite, toolCallMachine.provide({ guards: { rulesAsk: () => false } }))).toBe(true));

  it("plugins may rewrite without end", () =>
    expect(isCaught(suite, toolCallMachine.provide({ guards: { hasRewriteLeft: () => true } }))).toBe(true));

  it("a rewritten call skips the rules", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, ({ states }) => {
          const rewrote = states!["checking"]!["states"]!["consulting"]!["on"]!["plugins.rewrote"]!;
          rewrote["0"]!["target"] = "#toolCall.admitted" as never;
        }),
      ),
    ).toBe(true));

  it("an approval loses its digest", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, ({ states }) => delete states!["asking"]!["on"]!["user.approved"]!["actions"]),
      ),
    ).toBe(true));

  it("a proposed call can be started", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, ({ states }) => {
          states!["proposed"]!["on"]!["call.started"] = "running" as never;
        }),
      ),
    ).toBe(true));

  it("a call that was found open is executed without rules", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, ({ states }) => {
          states!["proposed"]!["on"]!["call.foundOpen"] = "running" as never;
        }),
      ),
    ).toBe(true));

  it("a call that was found open goes on as one that is new", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, ({ states }) => {
          states!["proposed"]!["on"]!["call.foundOpen"] = "checking" as never;
        }),
      ),
    ).toBe(true));

  it("a call that is being looked up can be started", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, ({ states }) => {
          states!["recovering"]!["on"]!["call.started"] = "running" as never;
        }),
      ),
    ).toBe(true));

  it("an unknown outcome is reported as ok", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, ({ states }) => {
          states!["recovering"]!["on"]!["call.outcomeUnknown"] = states!["recovering"]!["on"]!["call.succeeded"]!;
        }),
      ),
    ).toBe(true));

  it("a call that was not done skips the rules", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, ({ states }) => {
          states!["recovering"]!["on"]!["call.notDone"] = "admitted" as never;
        }),
      ),
    ).toBe(true));

  it("a call that was not done is asked of the plugins alone", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, ({ states }) => {
          states!["recovering"]!["on"]!["call.notDone"] = "checking.consulting" as never;
        }),
      ),
    ).toBe(true));

  it("a look-up that was cancelled says that nothing ran", () =>
    expect(
      isCaught(
        suite,
        mutantOf(toolCallMachine, ({ states }) => {
          delete states!["recovering"]!["on"]!["call.cancelled"];
        }),
      ),
    ).toBe(true));
});
