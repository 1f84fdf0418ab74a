import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowAllIn, checkScript } from "./differentialCheck.ts";
import { bash, makeSandbox, type Sandbox } from "./differentialSandbox.ts";
import { decideCommand } from "../src/index.ts";

/** Scripts that once ran what their analysis did not say, with the verdict that is right for them under `allow *`. */
const faults: ReadonlyArray<readonly [what: string, script: string, verdict: "allow" | "ask"]> = [
  // Words.
  ["an unquoted variable may be no word at all", "one $unset_ a", "allow"],
  ['`"$@"` may be no word at all', 'one "$@" a', "allow"],
  ["an empty brace alternative is no word", "one {a,}", "allow"],
  ["padded ranges keep their zeros", "one {01..03}", "allow"],
  ["ranges have steps", "one {1..5..2}", "allow"],
  ["braces around an expansion stay", "one {{a,b}}", "allow"],
  ["a brace that is not closed is a letter", "one {{a,b}", "allow"],
  ["braces with odd characters are expanded", "one {\r$x,b}", "allow"],
  ["a pattern without a match stays as it is", "one [xy]", "allow"],
  ["a pattern becomes several words", "one f[12]", "allow"],
  ["a tilde before quotes is a letter", `one ~"a" ~$'b'`, "allow"],
  ["a tilde before braces is one for each word", "one ~{a,b}", "allow"],
  ["a tilde may come first by a brace", "one {a,}~/n", "allow"],
  ["a tilde before a quoted slash is a letter", "one ~\\/a", "allow"],
  ["braces are expanded before variables", "x=1; one $x{a,b} 0$HOMEx{,y}z", "allow"],
  ["a tilde may stand behind a colon", "one x=a:~/b", "allow"],
  ["the home of nobody is a word as written", "one ~then", "allow"],
  ["characters beyond ASCII depend on the locale", "one $'\\u00e9'", "allow"],
  ["a substitution directly behind a digit is no redirection", "one 2>(two)", "ask"],
  ["nor is it in a list of words", "for x in 2>(two); do one $x; done", "ask"],
  ["nor in an array", "a=(2>(two)); one", "ask"],
  ["in a default it is one", "one ${x:-2>(two)}", "allow"],
  ["nor in a case", "case 2>(two) in a) one;; esac", "ask"],
  ["a line is not continued in $''", "one $'\\\n01'", "allow"],
  ["a process substitution is part of its word", "one a<(two)", "ask"],
  ["behind a process substitution there is no comment", "one > >(two)#;three", "ask"],
  ["a name is continued on the next line", 'one "$a\\\nb"', "ask"],
  ["an expansion is continued on the next line", 'one "$\\\n(two)"', "ask"],
  ["a brace in an expansion does not nest", "one ${x/{}{a,b}/a:b}", "ask"],
  ["the parser ends a substitution too early", "one ${x/$(two /)/y}", "ask"],
  ["a command in braces is known to newer versions only", "one ${ { two; } & push }", "ask"],
  ["a redirection of both outputs is Bash's own", "sh -s a <<< 'one a^b { ! &>>- /dev/null'", "ask"],
  ["blanks of other kinds part the arguments of xargs", "echo one a \r| xargs env", "ask"],
  ["part of a name comes from a variable", "x='a[$(one)]'; read x$x <<<{ 1", "ask"],
  ["an option that is none is not skipped", "docker run --rm -=e A=1 image sh -c '\\fetch -n = a:b'", "ask"],
  ["a tilde in braces may stay", "two $_ {~a,b}", "allow"],
  ["control characters have rules of their own", "one $'a\\c\u007fb'", "ask"],
  ["the parser does not know an operator", "one ${x~~$(two)}", "ask"],
  ["`$!` may be empty", "one ${!} a", "allow"],
  ["`$''` in an expansion in double quotes is no quotation", "one \"${y_-$'$(two)'}\"", "ask"],
  ["nor is it deeper in one", "one \"${y_:-${z_:-$'`two`'}}\"", "ask"],
  ["nor in a substitution in double quotes", "one \"$(echo ${y_:-$'$(two)'})\"", "ask"],
  ["single quotes in an expansion in a here-document are letters", "cat <<E\n${y_:-'$(two)'}\nE", "ask"],
  ["a quoted subscript of a descriptor is expanded", "one {a['$(two)']}>f3", "ask"],
  ["an argument names a variable", "bash -c 'one ${!1}' _ 'b[$(two)]'", "ask"],
  ["`env` sets what is evaluated", "env y_='b[$(two)]' bash -c 'one $((y_))'", "ask"],
  ["a process substitution hides in quotes in arithmetic", "x=1; one $(('${x##<(two)}'))", "ask"],
  ["an operator behind `#` is no length", "one $(('${#:$(two)}'))", "ask"],
  ["an expansion fills the table of commands", "one ${BASH_CMDS[two]:=./tool}; two", "ask"],
  ["arithmetic sets PATH", "one $((PATH=1)); two", "ask"],
  ["so does a value that is evaluated", "x='PATH=1'; one $((x)); two", "ask"],
  ["a descriptor sets PATH", "one {PATH}>f3; two", "ask"],
  ["an array ends before its word does", "a=([k]=$(one))^; two", "ask"],
  ["nor is an array with more behind it", "a+=($( (one) ))=", "ask"],
  ["a number in braces is none to every version", "one $'\\x{41'", "allow"],
  ["a line is continued behind a tilde", "one ~\\\n  a\\\n  ,b", "allow"],
  ["the working folder is where the command has got to", "cd dir; one $PWD/f1; cd ..; one ~+/f1", "allow"],
  ["a loop runs in other folders as well", "for i in a b; do one $PWD/f1; cd dir; done", "allow"],
  ["a process's number in quotes stands before a brace", 'eval \'one "$${a["x"]}"\'', "ask"],
  ["a line is continued inside backticks, in quotes as well", "one `say 'a\\\nb'`", "ask"],
  ["braces hold a process substitution", "one {<(two),b}", "allow"],
  ["a process's number stands before a brace", "one ${1//$${01?)}}", "ask"],
  ["a loop's value is split at its blanks", "for i in 'a\tb'; do one $i; done", "allow"],
  ["a file that a loop finds is split at its blanks", "for i in g*; do one $i; done", "allow"],
  // Redirections and here-documents.
  ["the target of >& is expanded in spite of its quotes", "one >& '`two`'", "ask"],
  ["`2>&-!` is two words", "one 2>&-!", "ask"],
  ["a `;` behind a here-document in a substitution gets lost", "one $(cat <<E\na\nE\ntwo; three a)", "ask"],
  ["a here-document takes away backslashes", "bash <<E\none \\\\\nE\ntwo\nE", "ask"],
  ["a here-document joins lines inside quotes", "cat <<E\n$(bash -c 'o\\\nne a')\nE", "ask"],
  ["tabs before a here-document's lines are not part of them", "bash <<-'E'\n\tone 'a\n\tb'\n\tE", "allow"],
  // Scripts from elsewhere.
  ["a script is written and run", "echo one > s; bash s", "ask"],
  ["a script is written and sourced", "echo one > s; . ./s", "ask"],
  ["a script is written and started", "echo one > s; chmod +x s; ./s", "ask"],
  ["a script is written and read", "echo one > s; bash < s", "ask"],
  ["a script comes from a substitution", "bash <(echo one)", "ask"],
  ["a sourced script comes from a substitution", ". <(echo one)", "ask"],
  ["a script comes from a descriptor", "bash /dev/fd/3 3<<< one", "ask"],
  ["a script comes over a copied descriptor", "exec 3<<< one; bash <&3", "ask"],
  ["a function reads the script that is piped to it", "f() { bash; }; echo one | f", "ask"],
  ["a function's own redirection holds the script", "f() { bash; } <<< one; f", "ask"],
  ["a group holds the script", "{ bash; } <<< one", "ask"],
  ["a loop reads the script", "while bash; do break; done <<< one", "ask"],
  ["others read some of the script first", "printf 'xone' | { read -n 1 c; bash; }", "ask"],
  ["`exec` changes where scripts come from", "exec < <(echo one); bash", "ask"],
  ["a function prints something else", "echo() { say two; }; echo one | bash", "ask"],
  ["other shells have other escapes", "sh -c 'one $\"a\" {a,b}'", "ask"],
  ["other shells know other keywords", "sh -c 'time one'", "ask"],
  ["a keyword alone is a program to other shells", "sh -c 'time; one'", "ask"],
  ["quotes in backquotes do not keep braces", 'one "`say \\"{#,$x}\\"`"', "ask"],
  ["nor do they without quotes around", 'one `say "{a,b}"`', "ask"],
  ["an empty offset takes what follows for one", 'one "${z_:}}"', "ask"],
  ["nor may it hide in another shell's script", "su -c 'one ${z_:}}'", "ask"],
  ["characters that Bash uses itself are lost", "one \"$\u007f{x:$'<(two)'}\"", "ask"],
  ["so is the other one", "one \u0001a", "ask"],
  ["a script is started by its path", "sh -p ./tool one", "allow"],
  // Builtins.
  ["`fc` runs what was", "history -s one; fc -s", "ask"],
  ["`mapfile` calls back", "mapfile -C one -c 1 m < f1", "ask"],
  ["`compgen` expands", "compgen -W '$(one)'", "ask"],
  ["`jobs -x` runs a command", "jobs -x one a", "allow"],
  ["`set -k` takes words for assignments", "set -k; one a=b", "ask"],
  ["`set +B` leaves braces", "set +B; one {a,b}", "ask"],
  ["`eval` may be given nothing", "eval one '$(two)'", "allow"],
  ["a trap expands when it runs", "trap 'one $x' EXIT", "allow"],
  // Values that are evaluated.
  ["arithmetic evaluates a subscript in a value", "x='a[$(one)]'; echo $((x))", "ask"],
  ["`[[ -eq ]]` evaluates a value", "x='a[$(one)]'; [[ x -eq 0 ]]", "ask"],
  ["`[[ -v ]]` evaluates a value", "x='a[$(one)]'; [[ -v $x ]]", "ask"],
  ["`test -v` evaluates a value", "x='a[$(one)]'; test -v \"$x\"", "ask"],
  ["an offset is evaluated", "x='a[$(one)]'; echo ${y:x}", "ask"],
  ["an indirect name is evaluated", "x='a[$(one)]'; echo ${!x}", "ask"],
  ["a subscript is evaluated", "x='a[$(one)]'; echo ${a[x]}", "ask"],
  ["`let` evaluates", "x='a[$(one)]'; let y=x", "ask"],
  ["a chain of values is evaluated", "x=y; y='a[$(one)]'; echo $((x))", "ask"],
  ["output is evaluated", "echo $(( $(say 'a[$(one)]') ))", "ask"],
  ["an argument is evaluated", "f() { echo $(($1)); }; f 'a[$(one)]'", "ask"],
  ["`declare -i` evaluates", "declare -i n='a[$(one)]'", "ask"],
  ["a reference is evaluated", "declare -n r='a[$(one)]'; echo $r", "ask"],
  // Wrappers.
  ["`find -exec` ends with + only behind {}", "find f1 -exec one a + b {} \\;", "allow"],
  ["`find -exec` is given files, not the folder", "find . -exec one {} \\;", "allow"],
  ["`find -execdir` is given names", "find dir -execdir one {} \\;", "allow"],
  ["`xargs -n` calls several times", "echo a b c | xargs -n 1 one", "allow"],
  ["`xargs -n` may make several commands", "printf '%s\\n' one two | xargs -n 1 sh -c", "allow"],
  ["`xargs -d` does not split at blanks", "echo a | xargs -d ' ' one", "allow"],
  ["`xargs` has quotes of its own", `echo 'a "b c"' | xargs one`, "allow"],
  ["`env -S` has quotes of its own", `env -S "one 'a b'"`, "ask"],
  ["`env -S` is no shell", "env -S 'one a;two'", "allow"],
  ["`bash -` ends the options", "bash - -c one", "allow"],
  ["options come from a variable", "x='-c one'; bash $x", "ask"],
  ["a descriptor is named with two slashes", "bash //dev/fd/3 3<<< two", "ask"],
  ["standard input is named in a roundabout way", "bash /./dev/stdin <<< 'one a'", "allow"],
  ["a backslash is the last character", "bash -ec 'one' a \\", "ask"],
  ["a file of the folder is run behind a name that is none", "p:\n sh f1", "allow"],
  ["a setting stands where the image of a container is named", "docker run --rm -e0 A=1 image sh -c 'one a'", "allow"],
  ["options of `find` come from a variable", "x='-exec one ;'; find f1 $x", "ask"],
];

describe.skipIf(!existsSync(bash))("a fault that was found", () => {
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = makeSandbox();
  });
  afterAll(() => sandbox[Symbol.dispose]());

  it.each(faults)("%s", async (_, script, verdict) => {
    expect((await checkScript(script, sandbox)).fault).toBeUndefined();
    expect(decideCommand(script, allowAllIn(sandbox)).verdict).toBe(verdict);
  });
});

it.each([
  ['for y in [ab]; do one "$y"; done', "one [ab]"],
  ['for y in []a]; do one $x "$y"; done', "one []a]"],
  ['for y in src/[ab]; do one "$y"; done', "one src/[ab]"],
  ['for y in [ab] c; do one "$y"; done', "one [ab]"],
  ['select y in [ab]; do one "$y"; done', "one [ab]"],
  ['f() { one "$1"; }; f [ab]', "one [ab]"],
])("a pattern that finds nothing is denied as it is written: %s", (script, deny) => {
  const policy = { allow: ["*"], deny: [deny], cwd: "/work", home: "/home/user" };
  expect(decideCommand(script, policy).verdict).not.toBe("allow");
});
