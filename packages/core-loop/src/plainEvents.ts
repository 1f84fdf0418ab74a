/**
 * Events without a payload that every call and every turn has. A journal in memory keeps what it is given, so they are
 * made once: ten thousand calls hold five of them.
 */
export const plainEvents = {
  callAccepted: { type: "call.accepted" },
  rulesAllowed: { type: "rules.allowed" },
  pluginsPassed: { type: "plugins.passed" },
  callStarted: { type: "call.started" },
  callSucceeded: { type: "call.succeeded" },
  callsSettled: { type: "calls.settled" },
  backOffOver: { type: "backOff.over" },
  promptBuilt: { type: "prompt.built" },
} as const;
