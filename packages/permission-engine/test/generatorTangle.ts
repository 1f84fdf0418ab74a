import type { Random } from "./generatorRandom.ts";

// Text in which every kind of quote, expansion and separator may stand in every other, well formed or not: what runs of
// it depends on where Bash stops taking a character for a quote.
const ends = [
  "$(one)",
  "`two`",
  "<(three)",
  "$(push)0",
  "a",
  "b",
  "$x",
  "$y",
  "'",
  "'\"'",
  "\\",
  "}",
  ")",
  '"x"',
  "\\$(drop)",
  "#",
] as const;
const names = "x y a @ 1 a[0] # !x #x ## #@ !a[@] !y* a[@] x@Q y[0] #: $ BASH_ENV PATH 01 @: !1 _ * - ? z".split(" ");
const operators = [...":- - := = :+ + # ## % %% / // /# /% : ^ , ? :?".split(" "), "@Q "] as const;
const separators = [" ", "\t", "\\\n", ";", " & ", "|", "\n", " # ", "\r", "&&", " \\"] as const;

const pick = (random: Random, choices: ReadonlyArray<string>): string => choices[random.below(choices.length)] ?? "";

const tangle = (random: Random, depth: number): string => {
  if (depth <= 0) return pick(random, ends);
  const below = (): string => tangle(random, depth - 1);
  const kind = random.below(26);
  if (kind < 4) return `"${below()}"`;
  if (kind < 6) return `'${below()}'`;
  if (kind < 8) return below() + pick(random, separators) + below();
  if (kind < 9) return `$"${below()}"`;
  if (kind < 10) return `$'${below()}'`;
  if (kind < 15)
    return `\${${pick(random, names)}${pick(random, operators)}${below()}${random.chance(0.15) ? `/${below()}` : ""}}`;
  switch (kind) {
    case 15:
      return `$(say ${below()})`;
    case 16:
      return `\`say ${below()}\``;
    case 17:
      return `$((${below()}))`;
    case 18:
      return `\${a[${below()}]}`;
    case 19:
      return `\\${below()}`;
    case 20:
      return `$[${below()}]`;
    case 21:
      return `{${below()},${below()}}`;
    case 22:
      return `$(cat <<E\n${below()}\nE\n)`;
    case 23:
      return `${below()}\n${below()}`;
    case 24:
      return `"\${x:-${below()}}"`;
    default:
      return below() + below();
  }
};

const without = (text: string, quote: string): string => text.replaceAll(quote, "");

/** A command with such text in one of the places where text can stand. */
export const tangledCommand = (random: Random, depth: number): string => {
  const text = (): string => tangle(random, 1 + random.below(depth));
  const forms: ReadonlyArray<() => string> = [
    () => `one ${text()}`,
    () => `echo ${text()}`,
    () => `cat <<${pick(random, ["E", "-E", "'E'", "\\E", '"E"'])}\n${text()}\nE`,
    () => `one a >f3 ${text()}`,
    () => `cat <<< ${text()}`,
    () => `[[ ${text()}${pick(random, [" == ", " =~ ", " < ", " -eq ", " != "])}${text()} ]]; one a`,
    () => `case ${text()} in ${text()}) one a;; esac`,
    () => `x=${text()}; one a`,
    () => `a=(${text()} [${text()}]=${text()}); one a`,
    () => `for i in ${text()}; do one $i; done`,
    () => `(( ${text()} )); one a`,
    () => `a[${text()}]=${text()}; one a`,
    () => `one a # ${text()}\ntwo b`,
    () => `one ${text()}; cat <<E\n${text()}\nE`,
    () => `x='${without(text(), "'")}'; one $((x))`,
    () => `x='${without(text(), "'")}'; one \${x@P}`,
    () => `f() { one ${text()}; }; f ${text()}`,
    () => `one a;${text()}\ntwo b`,
    () => `for ((i=${text()};i<1;i++)) do one $i; done`,
    () => `eval 'one ${without(text(), "'")}'`,
    () => `eval "one ${without(text(), '"')}"`,
    () => `bash -c 'one ${without(text(), "'")}' x '${without(text(), "'")}'`,
    () => `bash -c "one ${without(text(), '"')}"`,
    () => `cat <<E | cat <<'F'\n${text()}\nE\n${text()}\nF\none a`,
    () => `bash <<E\none ${text()}\nE`,
    () => `bash <<'E'\none ${text()}\nE`,
    () => `one a {a[${text()}]}>f3`,
    () => `if [[ -n ${text()} ]]; then one ${text()}; fi`,
    () => `env x=${text()} bash -c 'one $((x))'`,
  ];
  return forms[random.below(forms.length)]?.() ?? "one";
};
