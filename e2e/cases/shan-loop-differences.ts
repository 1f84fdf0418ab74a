/** Cases of the loop that end otherwise here, or that cannot be put to it as they stand: why. Told in DIFFERENCES.md. */
export const differences: Readonly<Record<string, string>> = {
  "retry-classify-001": "no error is no case: a call gives a reply or a failure with a reason",
  "retry-classify-012": "a timeout has a reason of its own and is repeated; recovery.test.ts shows it",
  "retry-classify-016": "a request is made of checked data; there is nothing in it that could not be written",
  "retry-classify-017":
    "a broken answer is asked for again, twice: servers mend, and a repeated request costs less than a lost run",
  "retry-policy-002":
    "a server that is overloaded is asked 8 times within 1.5 minutes: disturbances last longer than 3 s",
  "retry-policy-005": "so it is; recovery.test.ts shows it",
  "retry-policy-007":
    "a conversation that is too long goes to a model that sees more, where there is one; else the run ends with its report. Compaction is a plugin's",
  "context-results-002":
    "images stay until compaction drops them: taking them out changes what the provider has cached",
  "context-results-008": "every long result is shortened, of file_read too; result_read, which reads the whole, is not",
  "sanitize_history-003":
    "a failed call leaves no message that could be taken for the model's; the report is the run's, not a part of the conversation",
  "sanitize_history-008": "so it is; every test of recovery.test.ts that looks at requests shows it",
  "sanitize_history-009":
    "cannot come up: the conversation is built from events, each call with its one result right after it",
  "sanitize_history-010": "the system prompt is no message here, and always first",
  "loop-text-011": "so it is; recovery.test.ts shows that the checkpoint comes once",
};
