import type { Random } from "./generatorRandom.ts";

type Make = (random: Random, depth: number) => string;

const runs = ["$(one)", "`two`", "<(three)", "$(push a)", "${x:-$(one)}", "$x", "a", ""] as const;
const operators = [":-", "-", ":=", "=", ":+", "+", "#", "##", "%", "/", "//b/", ":", "^"] as const;
const names = ["x", "y", "unset_", "a[0]", "@", "#", "1", "!x"] as const;

// Quotes of every kind around what may be run: whether they are quotes depends on what is around them.
const quoted: Make = (random, depth) => {
  const inner = depth <= 0 || random.chance(0.5) ? random.pick(runs) : expansion(random, depth - 1);
  switch (random.below(7)) {
    case 0:
      return `'${inner}'`;
    case 1:
      return `$'${inner}'`;
    case 2:
      return `"${inner}"`;
    case 3:
      return `$"${inner}"`;
    case 4:
      return `\\${inner}`;
    case 5:
      return `'}${inner}'`;
    default:
      return inner;
  }
};

const expansion: Make = (random, depth) =>
  `\${${random.pick(names)}${random.pick(operators)}${quoted(random, depth)}${random.chance(0.2) ? quoted(random, depth) : ""}}`;

const assigning = ["PATH=1", "IFS=2", "BASH_ENV=1", "x=1", "PATH++", "a[PATH=1]=2", "y+=1"] as const;

/** Places where Bash reads text in another way than elsewhere: quotes in expansions, arithmetic, subscripts, descriptors. */
export const nestedWord: Make = (random, depth) => {
  switch (random.below(16)) {
    case 0:
    case 1:
      return expansion(random, depth);
    case 2:
    case 3:
      return `"${expansion(random, depth)}"`;
    case 4:
      return `"$(say ${expansion(random, depth)})"`;
    case 5:
      return `$(say "${expansion(random, depth)}")`;
    case 6:
      return `"\`say ${expansion(random, depth).replaceAll(/[\\`"]/g, String.raw`\$&`)}\`"`;
    case 7:
      return `$((${quoted(random, depth)}))`;
    case 8:
      return `\${a[${quoted(random, depth)}]}`;
    case 9:
      return `\${x:${quoted(random, depth)}}`;
    case 10:
      return `$((${random.pick(assigning)}))`;
    case 11:
      return `\${a[${random.pick(assigning)}]}`;
    case 12:
      return `\${${random.pick(["BASH_CMDS[one]", "BASH_ALIASES[one]", "PATH", "x"])}:=${random.pick(["./tool", "1", "a"])}}`;
    case 13:
      return `$(cat <<E\n${expansion(random, depth)}\nE\n)`;
    case 14:
      return `$"${expansion(random, depth)}"`;
    default:
      return `$[${quoted(random, depth)}]`;
  }
};

/** Commands with such text where no word stands. */
export const nestedCommand: Make = (random, depth) => {
  switch (random.below(10)) {
    case 0:
      return `cat <<E\n${expansion(random, depth)}\nE`;
    case 1:
      return `cat <<-E\n\t${expansion(random, depth)}\n\tE`;
    case 2:
      return `one {a[${quoted(random, depth)}]}>f3`;
    case 3:
      return `one {${random.pick(["fd", "PATH", "x"])}}>f3; two`;
    case 4:
      return `(( ${quoted(random, depth)} )); one`;
    case 5:
      return `a[${quoted(random, depth)}]=1; one`;
    case 6:
      return `a=([${quoted(random, depth)}]=1); one`;
    case 7:
      return `env x=${quoted(random, depth)} bash -c 'one $((x))'`;
    case 8:
      return `bash -c 'one \${!1}' _ ${quoted(random, depth)}`;
    default:
      return `x=${quoted(random, depth)}; [[ x -eq 1 ]]; one $((x))`;
  }
};
