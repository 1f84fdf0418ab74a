import { languageModelConformance, registerConformance } from "@kumiko/plugin-api/testing";
import {
  type LanguageModel,
  type Message,
  type ModelEvent,
  type ModelReply,
  type ModelRequest,
  textOf,
  toolCallsOf,
  type ToolResultPart,
  userText,
} from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rehearsal } from "../src/rehearsal.ts";

const tools = ["grep", "file_read", "file_write", "ping"].map((name) => ({
  name,
  description: name,
  inputSchema: { type: "object" },
}));
const request = (messages: ReadonlyArray<Message>): ModelRequest => ({
  system: "s",
  tools,
  messages,
  toolChoice: "auto",
});
const ask = (model: LanguageModel, asked: ModelRequest): Promise<ModelReply> =>
  Effect.runPromise(model.generate(asked, () => undefined));

/** A turn-by-turn play: each call is answered by `answer`. Returns the conversation. */
const play = async (
  model: LanguageModel,
  prompt: string,
  answer: (name: string) => Pick<ToolResultPart, "status" | "text">,
): Promise<ReadonlyArray<Message>> => {
  const messages: Array<Message> = [userText(prompt)];
  for (let turn = 0; turn < 10; turn++) {
    const { message } = await ask(model, request(messages));
    messages.push(message);
    const calls = toolCallsOf(message);
    if (calls.length === 0) return messages;
    messages.push({
      role: "tool",
      parts: calls.map(({ id, name }) => {
        const { status, text } = answer(name);
        return { type: "tool-result", callId: id, name, status, text };
      }),
    });
  }
  throw new Error("the play does not end");
};

const ok = (text: string) => ({ status: "ok", text }) as const;
const finalText = (messages: ReadonlyArray<Message>): string => {
  const last = messages.at(-1);
  return last === undefined ? "" : textOf(last);
};
const written = (messages: ReadonlyArray<Message>): string => {
  for (const message of messages)
    if (message.role === "assistant")
      for (const { name, input } of toolCallsOf(message))
        if (name === "file_write" && typeof input === "object" && input !== null && "content" in input)
          return String(input["content"]);
  return "";
};

const prompt = "Collect every TODO comment into issues.md";
const report = (grep: string): Promise<ReadonlyArray<Message>> =>
  play(rehearsal(), prompt, (name) => ok(name === "grep" ? grep : "created issues.md"));

describe("a file that has to be read before it is changed", () => {
  const unread = {
    status: "error",
    text: "issues.md: there is such a file, and this session has not read it.",
  } as const;

  it("is read, and the step is played again as if nothing had been in the way", async () => {
    let writes = 0;
    const messages = await play(rehearsal(), prompt, (name) => {
      if (name === "file_write") return ++writes === 1 ? unread : ok("replaced issues.md");
      return ok(name === "grep" ? "src/a.ts:1: // TODO: one" : "1\t# Issues");
    });
    const called = messages.flatMap((message) =>
      message.role === "assistant" ? toolCallsOf(message).map(({ name, input }) => [name, input]) : [],
    );
    expect(called.map(([name]) => name)).toEqual(["grep", "file_write", "file_read", "file_write"]);
    expect(called[2]?.[1]).toEqual({ path: "issues.md" });
    expect(called[3]?.[1]).toEqual(called[1]?.[1]);
    expect(finalText(messages)).toMatch(/^I found 1 TODO comment/);
  });

  it("that cannot be read ends the part with the reason", async () => {
    const unreadable = await play(rehearsal(), prompt, (name) =>
      name === "file_write"
        ? unread
        : name === "grep"
          ? ok("src/a.ts:1: // TODO: one")
          : { status: "denied", text: "no" },
    );
    expect(finalText(unreadable)).toContain("could not finish");
  });
});

describe("remarks in the middle of a run", () => {
  const grepped: ReadonlyArray<Message> = [
    userText(prompt),
    { role: "assistant", parts: [{ type: "tool-call", id: "c", name: "grep", input: {} }] },
    {
      role: "tool",
      parts: [{ type: "tool-result", callId: "c", name: "grep", status: "ok", text: "src/a/b.ts:1: // TODO: x" }],
    },
  ];
  it("do not start the part anew: a nudge is followed by the next step", async () => {
    const { message } = await ask(rehearsal(), request([...grepped, userText("try another way")]));
    expect(toolCallsOf(message).map(({ name }) => name)).toEqual(["file_write"]);
  });
  it("do not hide what was done from the closing summary", async () => {
    const closing = { ...request([...grepped, userText("the run ends here")]), toolChoice: "none" } as const;
    expect(textOf((await ask(rehearsal(), closing)).message)).toMatch(/grep/);
  });
  it("are told from a new prompt after a run that was cut off", async () => {
    const cut: Message = {
      role: "tool",
      parts: [{ type: "tool-result", callId: "c", name: "grep", status: "cancelled", text: "cancelled" }],
    };
    const { message } = await ask(rehearsal(), request([...grepped.slice(0, 2), cut, userText("hello")]));
    expect(textOf(message)).toMatch(/I am Kumiko/);
  });
});

describe("rehearsal", () => {
  describe("keeps the contract", () => {
    const broken = rehearsal({ parts: "- name: [" });
    const slow = rehearsal({
      paceMillis: 60_000,
      parts: "- name: a\n  when: [x]\n  steps: [{ say: one two three }]\n",
    });
    registerConformance(
      it,
      languageModelConformance({
        model: rehearsal(),
        text: request([userText("hello")]),
        calls: request([userText(prompt)]),
        failing: { model: broken, request: request([userText("x")]), reason: "bad-request" },
        endless: { model: slow, request: request([userText("x")]), isFreed: Effect.succeed(true) },
      }),
    );
  });

  it("shows words as they come and says that it is a rehearsal", async () => {
    const events: Array<ModelEvent> = [];
    const model = rehearsal();
    expect(model.isRehearsal).toBe(true);
    await Effect.runPromise(model.generate(request([userText("hi")]), (event) => events.push(event)));
    const words = events.flatMap((event) => (event.type === "text.delta" ? [event.text] : []));
    expect(words.length).toBeGreaterThan(40);
    expect(words.join("")).toMatch(
      /\(Rehearsal: this answer was played from the part “hello”, no language model was asked\.\)$/,
    );
  });

  it("explains itself and the way to a real model when no part fits", async () => {
    const text = finalText(await play(rehearsal(), "Write a poem", () => ok("")));
    for (const piece of ["rehearsal", "todo-report", "hello", "ollama/<name>", "OPENAI_API_KEY", "#<name>"])
      expect(text).toContain(piece);
  });

  describe("the part todo-report", () => {
    it("groups what was found by module, and counts it", async () => {
      const messages = await report(
        [
          "issues.md:3: - `src/auth/a.ts:1` TODO: from the last run",
          "main.ts:1: // TODO: at the root",
          "src/auth/login.ts:12:   // TODO(anna): expire *all* tokens",
          "src/auth/deep/er/store.ts:3: /* TODO: close it */",
          "src/billing/tax.py:40: # TODO round [half] even",
        ].join("\n"),
      );
      expect(written(messages)).toBe(`# Issues

4 TODO comments in 3 modules.

## (root) (1)

- \`main.ts:1\` TODO: at the root

## src/auth (2)

- \`src/auth/login.ts:12\` TODO(anna): expire \\*all\\* tokens
- \`src/auth/deep/er/store.ts:3\` TODO: close it

## src/billing (1)

- \`src/billing/tax.py:40\` TODO round \\[half\\] even
`);
      expect(finalText(messages)).toContain(
        "I found 4 TODO comments in 3 modules and wrote them to issues.md: (root) (1), src/auth (2), src/billing (1).",
      );
      expect(messages).toHaveLength(6);
    });

    it("tells the truth when there is none, or only in its own report", async () => {
      for (const grep of ["(no matches in 12 files)", "issues.md:1: TODO", ""]) {
        const messages = await report(grep);
        expect(written(messages)).toContain("No TODO comments were found.");
        expect(finalText(messages)).toContain("I found no TODO comment.");
      }
    });

    it("passes on what the search noted", async () => {
      const messages = await report("src/a.ts:1: TODO one\n(stopped after 1 match; narrow the search)");
      expect(written(messages)).toContain("1 TODO comment in 1 module.");
      expect(written(messages)).toContain("Note of the search: (stopped after 1 match; narrow the search)");
      expect(finalText(messages)).toContain("wrote it to issues.md");
      expect(finalText(messages)).toContain("stopped after 1 match");
    });

    it("loses no hit, whatever paths and texts are called", async () => {
      const odd = fc.stringMatching(/^[a-z`*:"\\ä😀\n -]{1,8}$/u);
      const hit = fc.record({ folders: fc.array(odd, { maxLength: 3 }), file: odd, line: fc.nat(), text: odd });
      await fc.assert(
        fc.asyncProperty(fc.array(hit, { minLength: 1, maxLength: 6 }), async (hits) => {
          const lines = hits.map(({ folders, file, line, text }) => {
            const path = [...folders, file].join("/");
            return `${JSON.stringify(path)}:${line}: TODO ${text.replaceAll("\n", "")}`;
          });
          const messages = await report(lines.join("\n"));
          expect(finalText(messages)).toContain(`I found ${hits.length} TODO comment`);
          expect(written(messages).match(/^- .*TODO/gm)).toHaveLength(hits.length);
        }),
        { seed: 7, numRuns: 60 },
      );
    });

    it("ends truthfully when a call is denied or fails", async () => {
      const denied = await play(rehearsal(), prompt, (name) =>
        name === "grep" ? ok("src/a.ts:1: TODO x") : { status: "denied", text: "the user said no" },
      );
      expect(finalText(denied)).toContain(
        "file_write was denied. issues.md was not written by me. It said: the user said no",
      );
      expect(finalText(denied)).toContain("Rehearsal:");
      const failed = await play(rehearsal(), prompt, () => ({ status: "error", text: "" }));
      expect(finalText(failed)).toContain("the call of grep failed.");
      expect(failed).toHaveLength(4);
    });
  });

  const mine = `
- name: pings
  when: ["ping*"]
  steps:
    - say: "First {{ prompt }}"
      calls:
        - { tool: ping, input: { text: "{{ prompt | upcase }}", n: 1, list: ["{{ results.size }}", true] } }
        - { tool: ping }
    - call: { tool: ping, input: { text: "{{ last.lines[1] }}" } }
    - say: "{{ results.size }} pings, the last gave {{ last.text }}"
- name: hello
  when: [hello]
  steps: [{ say: mine comes first }]
`;

  it("computes arguments from earlier results, and the step from the conversation alone", async () => {
    const pings = await play(rehearsal({ parts: mine }), "ping me", () => ok("one\n\ntwo"));
    const inputs = pings.flatMap((message) => (message.role === "assistant" ? toolCallsOf(message) : []));
    expect(inputs.map(({ input }) => input)).toEqual([
      { text: "PING ME", n: 1, list: ["0", true] },
      {},
      { text: "two" },
    ]);
    expect(new Set(inputs.map(({ id }) => id)).size).toBe(3);
    expect(finalText(pings)).toContain("3 pings, the last gave one\n\ntwo");
    // Another instance, as after a restart, goes on from any point with the same answer.
    for (const [index, message] of pings.entries())
      if (message.role === "assistant")
        expect((await ask(rehearsal({ parts: mine }), request(pings.slice(0, index)))).message).toEqual(message);
    // A second prompt starts anew, its results its own.
    const again = await ask(rehearsal({ parts: mine }), request([...pings, userText("ping again")]));
    expect(textOf(again.message)).toBe("First ping again");
  });

  it("asks its user's parts before the built-in ones", async () => {
    expect(finalText(await play(rehearsal({ parts: mine }), "hello", () => ok("")))).toContain("mine comes first");
  });

  it("sums up truthfully when it must not call", async () => {
    const asked = { ...request([userText(prompt)]), toolChoice: "none" as const };
    expect(textOf((await ask(rehearsal(), asked)).message)).toContain("before anything was done");
    const messages = await play(rehearsal(), prompt, (name) =>
      name === "grep" ? ok("src/a.ts:1: TODO x") : { status: "denied", text: "no" },
    );
    const summed = await ask(rehearsal(), { ...request(messages.slice(0, 5)), toolChoice: "none" });
    expect(textOf(summed.message)).toContain("- grep succeeded (1 lines, first line: src/a.ts:1: TODO x)");
    expect(textOf(summed.message)).toContain("- file_write was denied");
  });

  it("stops when a tool it needs is not offered", async () => {
    const reply = await ask(rehearsal(), { ...request([userText(prompt)]), tools: [] });
    expect(textOf(reply.message)).toContain("needs the tool grep, which is not offered");
    expect(reply.stopReason).toBe("end");
  });

  it.each([
    ["{{ nothing }}", "undefined variable: nothing"],
    ["{{ last.text }}", "undefined variable: last"],
    ["{% include '/etc/passwd' %}", "Failed to lookup"],
    ["{% for i in (1..100000000) %}x{% endfor %}", "memory alloc limit exceeded"],
  ])("fails the call for the template %o and says where", async (template, problem) => {
    const model = rehearsal({ parts: `- name: bad\n  when: [x]\n  steps: [{ say: "${template}" }]\n` });
    const failure = await Effect.runPromise(Effect.flip(model.generate(request([userText("x")]), () => undefined)));
    expect(failure.reason).toBe("bad-request");
    expect(failure.detail).toContain("the part cannot be played (bad, step 1)");
    expect(failure.detail).toContain(problem);
  });
});
