import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claimedCall, type ReplyFacts } from "../src/claimedCall.ts";
import { hallucinations, honestAfterRefusal, ordinaryAnswers } from "./claimedCallCases.ts";

const facts = {
  toolNames: new Set(["bash", "file_read", "file_write", "grep"]),
  hasWorked: false,
  wasRefused: false,
} satisfies ReplyFacts;
const long = " This is some additional explanatory text that makes the reply longer than it would be, nothing more.";

describe("claimedCall", () => {
  it.each([
    '<tool_call>\n{"name": "bash", "arguments": {"command": "ls"}}\n</tool_call>',
    'I will look.\n\n<function_calls>\n<invoke name="file_read">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</function_calls>',
    '<invoke name="file_read"><parameter name="path">a</parameter></invoke>',
    '<function=bash>{"command": "ls"}</function>',
    '[TOOL_CALLS] [{"name": "bash", "arguments": {}}]',
    '<|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{"command":"ls"}<|tool_call_end|>',
    '{"name": "bash", "arguments": {"command": "ls"}}',
    '{"tool": "bash", "input": {"command": "ls"}}',
    '{"type": "function", "name": "bash", "parameters": {"command": "ls"}}',
    'Let me check.\n```json\n{"name": "grep", "arguments": {"pattern": "x"}}\n```',
    '```tool_code\nprint(file_read(path="a.txt"))\n```',
    'file_read(path="a.txt")',
    'bash({"command": "ls"})',
    'bash({"command": "ls"})\n\nResult:\na.txt',
    'I called bash({"command":"ls"}).\n\nResult:\nfile1',
    "I called bash({}).\n\nError: nope",
    '<tool_exec tool="bash" call_id="aaa111">\n<input>{"cmd":"ls"}</input>\n<output status="ok">done</output>\n</tool_exec>',
    'I set both.\n{"tool_calls": [{"name": "grep", "arguments": {"name": "c"}}]}\n{"tool_calls": [{"name": "grep", "arguments": {"name": "d"}}]}',
    'One is left.\n{"name": "grep", "arguments": {"pattern": "x"}}',
    'One is left.\n```tool_code\ngrep({"pattern": "x"})\n```',
  ])("hears a call written as text: %j", (text) => {
    expect(claimedCall(text, facts)).toBe("call-as-text");
  });

  it.each([
    "Here is the answer.",
    'A call looks like `<tool_call>{"name": "bash", "arguments": {}}</tool_call>` in this format.',
    'For example:\n```json\n{"name": "bash", "arguments": {"command": "ls"}}\n```',
    'The syntax is as follows:\n```json\n{"name": "bash", "arguments": {"command": "ls"}}\n```\nReplace the command by yours.',
    'The parser accepts this:\n```json\n{"name": "bash", "arguments": {"command": "ls"}}\n```\nand refuses everything else, which is why the test fails.',
    '{"name": "Alice", "arguments": {"for": "a debate"}}',
    '{"name": "bash", "version": "5.2"}',
    '> <tool_call>{"name": "bash", "arguments": {}}</tool_call>',
    "The bare tag <tool_exec> is what the old transcripts used.",
    "I called f(). Result: x",
    "In the code, `bash({...})` is called twice; file_read(path) once, which is wrong.",
    "def main():\n    setup(debug=True)\n",
    "I have read the file." + long,
    "I found that the bug is in parse()." + long,
    "The tests pass." + long,
    "The output shows 3 failures." + long,
    "I have not created the file yet; should I?",
    "Once I have created the file, you can run it.",
    "I've written a poem for you: roses are red.",
  ])("does not mind text about calls, and answers: %j", (text) => {
    expect(claimedCall(text, facts)).toBeUndefined();
  });

  it.each(["I have created the file." + long, "I've updated the config." + long, "I've fixed src/main.ts for you."])(
    "hears of work that no call has done: %j",
    (text) => {
      expect(claimedCall(text, facts)).toBe("result");
      expect(claimedCall(text, { ...facts, hasWorked: true })).toBeUndefined();
      expect(claimedCall(text, { ...facts, toolNames: new Set() })).toBeUndefined();
    },
  );

  it.each([
    ["Done! The file is deleted.", "refused-result"],
    ["The command completed successfully.", "refused-result"],
    ["All done.", undefined],
    ["The task could not be run because it was denied.", undefined],
    ["The request was denied, so nothing was executed.", undefined],
    ["The script never ran.", undefined],
  ])("after a refusal, says of %j: %s", (text, claim) => {
    expect(claimedCall(text, { ...facts, hasWorked: true, wasRefused: true })).toBe(claim);
  });

  it("leaves ordinary answers of coding agents alone", () => {
    const tools = [...facts.toolNames, "file_edit", "glob", "http_fetch", "get_weather", "search", "result_read"];
    const known = { ...facts, toolNames: new Set(tools) };
    expect(ordinaryAnswers.filter((answer) => claimedCall(answer, known) !== undefined)).toEqual([]);
  });

  it("hears of work and calls that never were", () => {
    expect(hallucinations.filter((answer) => claimedCall(answer, facts) === undefined)).toEqual([]);
  });

  it("believes who owns up to a refusal", () => {
    const refused = { ...facts, hasWorked: true, wasRefused: true };
    expect(honestAfterRefusal.filter((answer) => claimedCall(answer, refused) !== undefined)).toEqual([]);
  });

  it("looks at each place of a text a bounded number of times", () => {
    // Each of these took the better part of a second when forms were sought by backtracking.
    for (const piece of ["<tool_exec x><output ", " ", "\n", "\t\n", "```\n", "I called a()\n ", "[ { "])
      expect(claimedCall(piece.repeat(20_000 / piece.length), facts)).toBeUndefined();
  });

  it("answers for any text, and soon", () => {
    const piece = fc.constantFrom(
      '{"name": "bash", "arguments": {',
      "<tool_call>",
      "```json\n",
      "bash(",
      "{".repeat(50),
      "I called x(",
      "`",
      "\n",
      " ",
      '"',
      "I have created",
      "[TOOL_CALLS]",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
        claimedCall(pieces.join(""), facts);
      }),
      { seed: 3, numRuns: 60 },
    );
  });
});
