import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { decideCommand, explainCommand } from "../src/index.ts";
import { allowAll, policyOf } from "./support.ts";

const run = soak;
const strictness = { allow: 0, ask: 1, deny: 2, "hard-block": 3 };

const harmless = fc.constantFrom("ls -la", "git log --oneline", "echo hi", "make test", "cat a.txt", "go test ./...");
const joints = fc.constantFrom(" && ", "; ", " | ", " || ", " & ", "\n", "&&", ";", "|");
const fragments = fc.constantFrom(
  ..."ls;rm;-rf;/;$(;);`;';\";${x};$x;<(;>;>>;<<EOF;\n;EOF;&&;||;|;&;{;};(;for i in a;do;done;if;then;fi;case x in;esac;a=b;*;?;[;]];[[;~;sudo;bash -c;eval;xargs;find . -exec;\\;\\\n;#;!;{a,b};$((;)); ;curl x;\0;é;\u200B;git push".split(
    ";",
  ),
);
const soup = fc.array(fragments, { maxLength: 14 }).map((pieces) => pieces.join(" "));
const anything = fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), soup);

type Wrap = (command: string) => string;
const quoted = (command: string): string => `'${command.replaceAll("'", String.raw`'\''`)}'`;

// Ways to run a simple command.
const around = fc.constantFrom<Wrap>(
  (command) => command,
  (command) => `sudo env A=1 nice ${command}`,
  (command) => `A=1 ${command}`,
  (command) => `2>/dev/null ${command}`,
  (command) => `echo x | xargs ${command}`,
);
// Ways to run any command.
const wrapped = fc.constantFrom<Wrap>(
  (command) => `true && ${command}`,
  (command) => `( ${command} )`,
  (command) => `{ ${command}; }`,
  (command) => `echo $( ${command} )`,
  (command) => `echo "$( ${command} )"`,
  (command) => `cat <( ${command} )`,
  (command) => `if true; then ${command}; fi`,
  (command) => `for i in 1; do ${command}; done`,
  (command) => `f() { ${command}; }; f`,
  (command) => `! ${command}`,
  (command) => `bash -c ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => `{ ${command}; } > /dev/null 2>&1`,
);
const last = fc.constantFrom<Wrap>(
  (command) => command,
  (command) => `bash <<'EOF'\n${command}\nEOF`,
  (command) => `cat <<EOF\n$(${command} )\nEOF`,
  (command) => `sh <<< ${quoted(command)}`,
);

// One way to write the same word.
const spelled = (word: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat({ max: word.length - 1 }), fc.constantFrom("'", '"', "\\", '""'))
    .map(([at, quote]) =>
      quote === "\\"
        ? `${word.slice(0, at)}\\${word.slice(at)}`
        : quote === '""'
          ? `${word.slice(0, at)}""${word.slice(at)}`
          : `${word.slice(0, at)}${quote}${word.slice(at)}${quote}`,
    );

describe("any command", () => {
  it("is answered, the same each time, with a part for each thing it runs", () =>
    fc.assert(
      fc.property(anything, (command) => {
        const first = decideCommand(command, allowAll);
        expect(explainCommand(command, policyOf({ allow: ["*"] })).decision).toEqual(first);
      }),
      run,
    ));

  it("is never allowed with a NUL in it", () =>
    fc.assert(
      fc.property(anything, fc.nat({ max: 80 }), (command, at) => {
        const verdict = decideCommand(`${command.slice(0, at)}\0${command.slice(at)}`, allowAll).verdict;
        expect(verdict).not.toBe("allow");
      }),
      run,
    ));

  it("is judged no milder when a denial is added", () =>
    fc.assert(
      fc.property(anything, fc.constantFrom("git *", "ls*", "*", "rm *", "* push*"), (command, denial) => {
        const before = decideCommand(command, allowAll).verdict;
        const after = decideCommand(command, policyOf({ allow: ["*"], deny: [denial] })).verdict;
        expect(strictness[after]).toBeGreaterThanOrEqual(strictness[before]);
      }),
      run,
    ));

  it("is judged no stricter when an allowance is added", () =>
    fc.assert(
      fc.property(anything, fc.constantFrom("git *", "ls*", "*", "echo *"), (command, allowance) => {
        const before = decideCommand(command, policyOf()).verdict;
        const after = decideCommand(command, policyOf({ allow: [allowance] })).verdict;
        expect(strictness[after]).toBeLessThanOrEqual(strictness[before]);
      }),
      run,
    ));

  it("has its refusals and denials in every mode", () =>
    fc.assert(
      fc.property(anything, fc.constantFrom("plan", "accept-edits", "auto"), (command, mode) => {
        const rules = { allow: ["*"], deny: ["git push *"] };
        const asked = decideCommand(command, policyOf(rules)).verdict;
        const inMode = decideCommand(command, policyOf({ ...rules, mode } as const)).verdict;
        if (asked === "hard-block" || asked === "deny") expect(inMode).toBe(asked);
      }),
      run,
    ));
});

describe("an allowed command", () => {
  it("is never allowed with a denied part beside it", () =>
    fc.assert(
      fc.property(harmless, joints, fc.boolean(), (command, joint, isFirst) => {
        const parts = isFirst ? ["curl x", command] : [command, "curl x"];
        expect(decideCommand(parts.join(joint), policyOf({ allow: ["*"], deny: ["curl *"] })).verdict).toBe("deny");
      }),
      run,
    ));

  it("is never allowed with an unlisted part in it", () =>
    fc.assert(
      fc.property(harmless, wrapped, last, (command, wrap, end) => {
        const allow = ["ls*", "git log*", "echo*", "make*", "cat*", "go test*", "true", "bash*", "sh", "f"];
        expect(decideCommand(`${command}; ${end(wrap("./unlisted"))}`, policyOf({ allow })).verdict).toBe("ask");
      }),
      run,
    ));
});

describe("a disaster", () => {
  const words = fc.constantFrom(
    ["rm", "-rf", "/"],
    ["rm", "-fr", "~"],
    ["chmod", "-R", "777", "/etc"],
    ["mkfs", "/dev/sda"],
  );

  it("is refused however its words are quoted", () =>
    fc.assert(
      fc.property(
        words.chain((list) => fc.tuple(...list.map((word) => (word === "~" ? fc.constant(word) : spelled(word))))),
        fc.constantFrom(" ", "  ", "\t", " \\\n"),
        (list, blank) => {
          expect(decideCommand(list.join(blank), allowAll).verdict).toBe("hard-block");
        },
      ),
      run,
    ));

  it("is refused however it is wrapped, three times over", () =>
    fc.assert(
      fc.property(words, around, wrapped, wrapped, last, (list, a, b, c, d) => {
        const command = d(c(b(a(list.join(" ")))));
        expect([command, decideCommand(command, allowAll).verdict]).toEqual([command, "hard-block"]);
      }),
      run,
    ));

  it("is text when it is quoted", () =>
    fc.assert(
      fc.property(words, fc.constantFrom("echo", "git commit -m", "grep -rn"), (list, program) => {
        expect(decideCommand(`${program} '${list.join(" ")}'`, allowAll).verdict).toBe("allow");
      }),
      { ...run, numRuns: 50 },
    ));
});
