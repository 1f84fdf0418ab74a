import { describe, expect, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { Answer, JournalFailed, Question, QuestionNotOpen, ReaderTooSlow, RunRefused } from "../src/index.ts";

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("questions and answers survive JSON", () => {
  it.prop("Question", [Question], ([value]) => {
    expect(Schema.decodeUnknownSync(Question)(throughJson(value))).toEqual(throughJson(value));
  });
  it.prop("Answer", [Answer], ([value]) => {
    expect(Schema.decodeUnknownSync(Answer)(throughJson(value))).toEqual(throughJson(value));
  });
});

describe("errors say what happened and where", () => {
  it.each([
    [new QuestionNotOpen({ questionId: "q1", reason: "answered" }), /question q1 has been answered already/],
    [new RunRefused({ reason: "closed", sessionKey: "s", detail: "session s is closed" }), /session s is closed/],
    [new ReaderTooSlow({ runId: "r", waiting: 10_000 }), /run r fell 10000 events behind/],
    [
      new JournalFailed({ reason: "locked", streamId: "s", detail: "another writer has it" }),
      /journal s: another writer/,
    ],
  ])("%s", (error, text) => {
    expect(error.message).toMatch(text);
  });
});
