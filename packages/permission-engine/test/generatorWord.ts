import { nestedWord } from "./generatorNested.ts";
import type { Random } from "./generatorRandom.ts";

/** Makes a list of commands, for the places where a word can hold some. */
export type MakeScript = (depth: number) => string;

/** A form of a word; `depth` counts the nesting that is still wanted. */
type Form = (random: Random, depth: number, script: MakeScript) => string;

/**
 * The programs on PATH that only write down how they were called. No machine has programs of these names, so that what
 * runs with the default PATH (`env -i`, `command -p`) runs nothing.
 */
export const stubNames = ["one", "two", "three", "push", "fetch", "drop"] as const;

const variables = ["x", "y", "z", "unset_"] as const;

const literals = [
  "a",
  "b-1",
  "--flag",
  "-n",
  "x=1",
  "f1",
  "./f2",
  "a:b",
  "a#b",
  "%",
  "@",
  "a^b",
  "+1",
  "-",
  "=",
  "e",
  "]",
  "a]",
  "!",
  "{",
  "}",
  "{}",
  "then",
  "done",
  "esac",
  "in",
  "~/n",
  "~",
] as const;

const quotings = [
  "'a b'",
  "'$x'",
  "'*'",
  "'a;b'",
  "'#c'",
  "'`one`'",
  "''",
  '""',
  '"a b"',
  '"$x"',
  '"${x}y"',
  '"a\\"b"',
  '"\\$x"',
  '"a\\\nb"',
  '"a\nb"',
  `"'"`,
  String.raw`\ `,
  String.raw`a\ b`,
  String.raw`\$x`,
  String.raw`\*`,
  String.raw`\;`,
  String.raw`\'`,
  String.raw`\"`,
  String.raw`\\`,
  "a\\\nb",
  "$'a\\tb'",
  "$'\\x41'",
  "$'\\''",
  "$'\\u00e9'",
  "$'\\101'",
  "$'a\\cAb'",
  "$'\\e'",
  '$"a b"',
  "$'\\x4'1",
  "$'a\\nb'",
  "$'\\?'",
] as const;

const braceForms = [
  "{a,b}",
  "{1..3}",
  "{a..c}",
  "{01..03}",
  "{1..5..2}",
  "{3..1}",
  "x{,y}z",
  "{a,{b,c}}",
  "{a}",
  "{a,b",
  "'{a,b}'",
  '"{a,b}"',
  "{a,'b c'}",
  '{a,"b"}',
  "{$x,b}",
  "{a,b}{c,d}",
  String.raw`{a\,b}`,
  String.raw`{a,b\}}`,
  "{,a}",
  "{a,}",
  "{}{a,b}",
  "{a,b}}",
  "{{a,b}",
  "${x}{a,b}",
  "{a..c..2}",
  "{-1..1}",
  "{a,*}",
] as const;

const globForms = [
  "*",
  "f*",
  "?1",
  "[ab]",
  "[!a]*",
  "f[12]",
  "[f]?",
  "*/",
  "'*'*",
  "[",
  "[a",
  "[]a]",
  "nothing*",
] as const;

const parameters: ReadonlyArray<Form> = [
  () => "$x",
  () => "${x}",
  () => '"$y"',
  () => "$1",
  () => '"$@"',
  () => "$#",
  () => "$?",
  () => "$-",
  () => "$$",
  () => "${#x}",
  () => "${x:1}",
  () => "${x:1:2}",
  () => "${x^^}",
  () => "${x,}",
  () => "${x@Q}",
  () => "${x@U}",
  () => "${!x}",
  () => "${!x@}",
  () => "${!x*}",
  () => "${a[0]}",
  () => '"${a[@]}"',
  () => "${a[*]}",
  () => "${#a[@]}",
  () => "${!a[@]}",
  () => "${x~~}",
  () => "${x: -1}",
  () => "${x@P}",
  () => "${x@A}",
  () => "$_",
  () => "${x//a}",
  () => "${@:1}",
  () => "$PWD/f1",
  () => "$HOME",
];

const operators = [
  ":-",
  "-",
  ":=",
  "=",
  ":+",
  "+",
  "#",
  "##",
  "%",
  "%%",
  "/",
  "//",
  "/#",
  "/%",
  "^",
  "^^",
  ",",
  ",,",
  ":",
  "~",
  "~~",
  "@",
] as const;

const expansions: ReadonlyArray<Form> = [
  (random, depth, script) => `\${${random.pick(variables)}${random.pick(operators)}${word(random, depth, script)}}`,
  (random, depth, script) => `\${${random.pick(variables)}${random.pick(operators)}$(${script(depth)})}`,
  (random, depth, script) => `"\${${random.pick(variables)}${random.pick(operators)}$(${script(depth)})}"`,
  (random, depth, script) => `"\${${random.pick(variables)}${random.pick(operators)}${word(random, depth, script)}}"`,
  (random, depth, script) => `\${x/${word(random, depth, script)}/${word(random, depth, script)}}`,
  (_, depth, script) => `\${x/$(${script(depth)})/y}`,
  (_, depth, script) => `\${x//y/$(${script(depth)})}`,
  (_, depth, script) => `\${a[$(${script(depth)})]}`,
  (_, depth, script) => `\${x:$(${script(depth)})}`,
  (_, depth, script) => `\${x:0:$(${script(depth)})}`,
];

const substitutions: ReadonlyArray<Form> = [
  (_, depth, script) => `$(${script(depth)})`,
  (_, depth, script) => `"$(${script(depth)})"`,
  (_, depth, script) => `$( ${script(depth)} )`,
  (_, depth, script) => `$(\n${script(depth)}\n)`,
  (_, depth, script) => `$(${script(depth)} # )\n)`,
  (_, depth, script) => backticked(script(depth)),
  (_, depth, script) => `"${backticked(script(depth), true)}"`,
  (_, depth, script) => `<(${script(depth)})`,
  (_, depth, script) => `>(${script(depth)})`,
  (_, depth, script) => `$((1 + $(${script(depth)})))`,
  (_, depth, script) => `$[1 + $(${script(depth)})]`,
  (_, depth, script) => `$(( ${backticked(script(depth))} ))`,
  (_, depth, script) => `"$(( $(${script(depth)}) ))"`,
  (_, depth, script) => `$((${script(depth)}) )`,
  (_, depth, script) => `$( (${script(depth)}) )`,
  (_, depth, script) => `$(( a[$(${script(depth)})] ))`,
  (_, depth, script) => `\${ ${script(depth)}; }`,
  (_, depth, script) => `"\${x:-$(${script(depth)})}"`,
  (_, depth, script) => `$(case a in a) ${script(depth)};; esac)`,
  (_, depth, script) => `$(case a in (a) ${script(depth)} ;; b) two; esac)`,
  (_, depth, script) => `$(cat <<E\n$(${script(depth)})\nE\n)`,
  (_, depth, script) => `$(cat <<'E'\n) $(${script(depth)})\nE\n)`,
  (_, depth, script) => `$'a'"$(${script(depth)})"`,
  (_, depth, script) => `$\\\n(${script(depth)})`,
  (_, depth, script) => `"$\\\n(${script(depth)})"`,
  (_, depth, script) => `'$('${script(depth) === "" ? "" : "a"}')'`,
  () => "$(<f1)",
];

const backticked = (script: string, isQuoted = false): string =>
  `\`${script.replaceAll(isQuoted ? /[\\`"]/g : /[\\`]/g, String.raw`\$&`)}\``;

/** One word of Bash. */
export const word: Form = (random, depth, script) => {
  const kind = random.below(21);
  if (kind === 20) return nestedWord(random, depth);
  if (kind < 7) return random.pick(literals);
  if (kind < 10) return random.pick(quotings);
  if (kind < 11) return random.pick(braceForms);
  if (kind < 12) return random.pick(globForms);
  if (kind < 14) return pickForm(random, parameters)(random, depth, script);
  if (kind < 15) return word(random, depth - 1, script) + word(random, depth - 1, script);
  if (depth <= 0) return random.pick(literals);
  return pickForm(random, kind < 18 ? substitutions : expansions)(random, depth - 1, script);
};

/** A program's name, in one of its spellings. */
export const programWord = (random: Random): string => {
  const name = random.pick(stubNames);
  switch (random.below(14)) {
    case 0:
      return `'${name}'`;
    case 1:
      return `"${name}"`;
    case 2:
      return `\\${name}`;
    case 3:
      return `${name.slice(0, 1)}""${name.slice(1)}`;
    case 4:
      return `${name.slice(0, 1)}\\\n${name.slice(1)}`;
    case 5:
      return `$'${name}'`;
    case 6:
      return random.pick([
        "./tool",
        "{one,two}",
        "$x",
        "$(say one)",
        '"$y"',
        "o?e",
        "[ -n",
        "command",
        "builtin echo",
        "echo",
      ]);
    default:
      return name;
  }
};

/** One of several forms. */
export const pickForm = <A>(random: Random, forms: ReadonlyArray<A>): A => {
  const form = forms[random.below(forms.length)];
  if (form === undefined) throw new RangeError("no form to choose from");
  return form;
};
