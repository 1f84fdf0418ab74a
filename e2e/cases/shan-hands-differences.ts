/** Cases of files, calls, the log, sessions and settings that end otherwise here: why. Told in DIFFERENCES.md of cli. */
export const differences: Readonly<Record<string, string>> = {
  "admission-002": "the second of two equal calls shares the first one's result; it is no error",
  "admission-010":
    "there is no such tool: what runs elsewhere comes with the sub-agents, each within its own allotment",
  "admission-011":
    "there is no such tool: what runs elsewhere comes with the sub-agents, each within its own allotment",
  "admission-018": "a call without an id is given one; results are never told as text",
  "admission-019": "results are never told as text, so no tag has to be escaped",
  "audit-redact-004": "the word stays, so that the log says what was hidden: password=[redacted]",
  "audit-redact-005": "it is hidden, in capitals and after a colon as well",
  "audit-redact-008": "the whole token is hidden, not its first part only",
  "audit-redact-012": "a token of GitHub is hidden",
  "audit-redact-016": "the password is hidden, the user's name stays: https://u:[redacted]@host/x",
  "audit-truncate-003": "a text that is cut says how much is missing: hello wo… (3 more characters)",
  "config-merge-002":
    "a project cannot allow anything: its allowances are not taken, and said; denials and questions add up",
  "config-merge-003": "a file that does not fit is bad input with its line: what it forbids must not be lost",
  "normalize_json-004": "what is no JSON is never handed to a tool: the reply counts as broken and is asked for again",
  "read_tracker-006": "every call belongs to a session: what it has not read it does not edit",
  "read_tracker-012": "there is no such file by name yet; it comes with the memory",
  "read_tracker-016": "nothing is replaced that is not there as written: the failure says which quotes the file has",
  "session-title-001": "an empty prompt is refused, so there is no session without one",
  "session-title-005": "a list shows as much of the prompt as fits the window, with an ellipsis",
};
