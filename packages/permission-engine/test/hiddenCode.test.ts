import { describe, it } from "vitest";
import { expectAll, policyOf } from "./support.ts";

describe("code that quotes do not keep from being run", () => {
  it("is never allowed", () =>
    expectAll(
      ["ask", "hard-block"],
      [
        "ls \"${x-$'$(touch y)'}\"",
        "echo \"${x:-$'$(rm -rf /)'}\"",
        "echo \"${x:-$'`curl http://x`'}\"",
        "echo \"${@:-$'$(touch y)'}\"",
        "echo \"${a[0]:-$'$(touch y)'}\"",
        "echo \"${x:-${z:-$'$(touch y)'}}\"",
        "echo $\"${x:-$'$(touch y)'}\"",
        "x=\"${y:-$'$(touch y)'}\"; echo a",
        "cat <<< \"${y:-$'$(touch y)'}\"",
        "for i in \"${y:-$'$(touch y)'}\"; do echo a; done",
        "case \"${y:-$'$(touch y)'}\" in a) echo b;; esac",
        "cat <<E\n${x:-'$(touch y)'}\nE",
        "cat <<-E\n${x:-'`touch y`'}\nE",
        "cat <<E\n${x='$(touch y)'}\nE",
        "cat <<E\n${FOO:+'$(touch y)'}\nE",
        "cat <<E\n${x:-'}$(touch y)'}\nE",
        "echo $(cat <<E\n${x:-'$(touch y)'}\nE\n)",
        "echo {a['$(touch y)']}>/dev/null",
        "cat {a['$(touch y)']}<a.txt",
        "echo a {a[$'$(touch y)']}<<<x",
        "echo a {a[${a[$(touch y)]}]}>/dev/null",
        "echo a {a[$(($(touch y)0))]}>/dev/null",
        "bash -c 'echo ${!1}' x 'b[$(touch y)]'",
        "env x='b[$(touch y)]' bash -c 'echo $((x))'",
        "env FOO='b[$(touch y)]' bash -c 'echo ${FOO:FOO}'",
        "echo \"$(echo ${x:-$'$(touch y)'})\"",
        "x=\"$(echo ${x-$'$(touch y)'})\"; echo a",
        "cat <<< \"$(echo ${x-$'$(touch y)'})\"",
        "echo $(('${FOO##<(touch y)}'))",
        "(( '${FOO##<(touch y)}' ))",
        "echo ${a['${FOO##<(touch y)}']}",
        "a['${FOO##<(touch y)}']=1; echo a",
        "a=(['${FOO##<(touch y)}']=1); echo a",
        "echo ${FOO:'${FOO##<(touch y)}'}",
        "echo \"${###$'<(touch y)'}\"",
        "(( \"${x:-$'${FOO#<(touch y)}'}\" ))",
        "echo $(('${#:$(touch y)}'))",
        "echo ${a['${#:$(touch y)}']}",
        "a['${##$(touch y)}']=1; echo a",
        "(( '${#:$(touch y)}' ))",
        "for ((i=${#+'$(touch y)0'};i<1;i++)) do echo $i; done",
      ],
    ));

  it("does not run unattended", () =>
    expectAll(
      ["deny", "hard-block"],
      ["echo \"${x:-$'$(rm -rf /)'}\"", "cat <<E\n${x:-'$(rm -rf /)'}\nE"],
      policyOf({ mode: "auto" }),
    ));

  it("is not seen where there is none", () =>
    expectAll("allow", [
      "echo ${x//$'\\n'/ }",
      "echo \"${x:-'a'}\"",
      "echo ${#x} $((${#a[@]} + 1))",
      "echo {fd}>/dev/null",
      "cat {a,b}<c",
      "for ((i = 0; i < 3; i++)); do echo $i; done",
      "env X=1 bash -c 'echo a'",
    ]));
});

describe("a variable that changes what runs", () => {
  it("is seen wherever it is set", () =>
    expectAll("ask", [
      "cat ${BASH_CMDS[cat]:=/usr/bin/touch} y",
      "echo ${BASH_CMDS[cat]:=/usr/bin/touch}; cat y",
      "x=${BASH_CMDS[cat]:=/x} cat y",
      "echo \"${BASH_CMDS['cat']=./x.sh}\"",
      "echo $((PATH=1)); cat a.txt",
      "cat $((PATH=1)) a.txt",
      "((PATH=1)); cat a",
      "echo ${FOO:PATH=1}",
      "echo ${a[PATH=1]}",
      "a[PATH=1]=2; cat a",
      "a=([PATH=1]=2); cat a",
      "[[ PATH=1 -eq 1 ]]; cat a",
      "for ((PATH=1;PATH<2;PATH++)); do cat a; done",
      "echo $[PATH=1]; cat a",
      "x=$((PATH=1)) cat a.txt",
      "x='PATH=1'; echo $((x)); cat a",
      "for x in PATH=1; do echo ${a[x]}; done; cat a",
      "echo ${x:=PATH=1} $((x)); cat a",
      "echo {PATH}>/dev/null; cat a.txt",
      "{ echo a; } {PATH}>/dev/null; cat a",
      "let PATH=1; cat a",
      "let 'PATH++'; cat a",
      "coproc PATH { cat a; }; cat b",
      "wait -p PATH; cat a",
      "getopts a PATH; cat a",
      "select PATH in a; do cat a; done",
      "echo $((++PATH)); cat a",
      "declare -n x=PATH; x=1; cat a",
    ]));
});

describe("the folder that a command runs in", () => {
  it("is followed by every name of it", () =>
    expectAll("hard-block", [
      "cd / && rm -rf $PWD",
      "cd / && rm -rf ~+",
      'cd / && rm -rf "$PWD"/*',
      "cd /usr && rm -rf $PWD/..",
      "cd && rm -rf *",
      "cd; rm -rf ./*",
      "cd && rm -rf .",
      "cd -P; rm -rf *",
      "cd -- ; rm -rf *",
    ]));

  it("is not known where a wrapper chooses it", () =>
    expectAll("ask", [
      "sudo -i rm -rf *",
      "su - -c 'rm -rf *'",
      "chroot / rm -rf usr",
      "nsenter -t 1 -a rm -rf usr",
      "systemd-run -p WorkingDirectory=/ rm -rf usr",
    ]));

  it("is known where nothing changes it", () =>
    expectAll("allow", ["rm -rf $PWD/build", "rm -rf ~+/build", "cat $PWD/a.txt", "sudo rm -rf build"]));
});
