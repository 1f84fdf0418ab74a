import { describe, expect, it } from "vitest";
import { analyseCommand } from "../src/analyseCommand.ts";
import { innermost } from "../src/CommandPart.ts";
import { expectAll, place, policyOf } from "./support.ts";

/** What runs in the end, part by part. */
const runs = (command: string): ReadonlyArray<string> =>
  analyseCommand(command, place)
    .parts.filter((part) => !part.isImplied)
    .map((part) =>
      innermost(part)
        .map((word) => word.text)
        .join(" "),
    );
const isDoubted = (command: string): boolean => {
  const { doubts, parts } = analyseCommand(command, place);
  return doubts.length > 0 || parts.some((part) => part.doubts.length > 0);
};

describe("a wrapper", () => {
  it.each([
    ["sudo -u root -n a b", "a b"],
    ["doas -u root a", "a"],
    ["env -i A=1 -u B a b", "a b"],
    ["env -S 'a b' c", "a b c"],
    ["nohup nice -n 5 ionice -c3 timeout -k 1 5 stdbuf -o0 setsid -w a", "a"],
    ["xargs -P4 -r a b", "a b {}"],
    ["find x -name y -exec a {} +", "a {}"],
    ["fd -x a", "a {}"],
    ["busybox a b", "a b"],
    ["chroot /x a", "a"],
    ["flock -n f a b", "a b"],
    ["strace -f -e trace=open a", "a"],
    ["docker exec -it -e A=1 box a b", "a b"],
    ["docker run --rm -v /a:/b --name n image a b", "a b"],
    ["docker run --entrypoint=a image b", "a b"],
    ["podman --log-level debug run image a", "a"],
    ["docker compose exec -T service a", "a"],
    ["kubectl -n n exec pod -c box -- a b", "a b"],
    ["jobs -x a b", "a b"],
    ["runuser -u root -- a b", "a b"],
  ])("is taken off: %s", (command, inner) =>
    expect(runs(command)[0] === inner || runs(command)[1] === inner).toBe(true),
  );

  it.each([
    "ssh -p 22 host 'a b; c'",
    "ssh -o StrictHostKeyChecking=no host a b ';' c",
    "su root -c 'a b; c'",
    "su -c 'a b; c' root",
    "runuser root -c 'a b; c'",
    "script -qc 'a b; c' out",
    "watch -n 1 'a b; c'",
    "flock f -c 'a b; c'",
    "bash -ec 'a b; c'",
    "eval 'a b;' c",
    "trap 'a b; c' EXIT",
    "docker exec box sh -c 'a b; c'",
    "find . -exec sh -c 'a b; c' _ {} +",
    "bash <<< 'a b; c'",
    "bash <<'E'\na b; c\nE",
    "echo 'a b; c' | sh",
  ])("that takes a script is read: %s", (command) =>
    expect(runs(command)).toEqual(expect.arrayContaining(["a b", "c"])),
  );

  it.each([
    "ssh -o ProxyCommand=x host",
    "ssh -F file host a",
    "strace -o '|x' a",
    "sudo -s",
    "cat f | su",
    "bash --rcfile x -i",
    "bash -O extglob -c a",
    "watch -x a",
    "docker run --unknown-option a b c",
    "timeout $x a",
    "env $x a",
    "zsh -c 'a *(e:b:)'",
    "fish -c 'a (b)'",
  ])("that may run something else is doubted: %s", (command) => expect(isDoubted(command)).toBe(true));
});

describe("a variable whose value is certain", () => {
  it("is filled in for denials and fixed rules", () => {
    expectAll("hard-block", [
      "x=/; rm -rf $x",
      'x=/; y="$x"; rm -rf "$y"',
      'x="-rf /"; rm $x',
      "x=/ && rm -rf $x",
      "x=/; (rm -rf $x)",
      "x=/; if true; then rm -rf $x; fi",
      "bash -c 'x=/; rm -rf $x'",
      "x=rm; $x -rf /",
    ]);
    expectAll("deny", ["x=push; git $x", "x='push origin'; git $x"], policyOf({ allow: ["*"], deny: ["git push*"] }));
  });

  it("lets a command be allowed, but never as the program's name", () => {
    expectAll("allow", ["d=build; rm -rf $d/x"], policyOf({ allow: ["rm -rf build/*"] }));
    expectAll("ask", ["x=ls; $x -la"]);
  });

  it("is not certain where anything else may have set it, or it may not have been set", () => {
    const commands = [
      "x=a; x=b; rm $x",
      "x=a; read x; rm $x",
      "x=a | rm $x",
      "x=a & rm $x",
      "(x=a); rm $x",
      "false && x=a; rm $x",
      "if b; then x=a; fi; rm $x",
      "x=a b; rm $x",
      "rm $x; x=a",
      "x=a; : ${x:=b}; rm $x",
      "x=a; (( x = 3 )); rm $x",
      "x=a; eval b; rm $x",
      "x=a; . ./b; rm $x",
      "x=a; unset $'\\x78'; rm $x",
      "x=a; for i in 1 2; do rm $x; done",
      "x=a; f() { rm $x; }; f",
      "x=a; bash -c 'rm $x'",
      "RANDOM=a; rm $RANDOM",
    ];
    // As unknown, it may be what the denial is about; as certain, it could not.
    expectAll("ask", commands, policyOf({ allow: ["*"], deny: ["rm b"] }));
  });
});
