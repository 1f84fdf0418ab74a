import { pickForm } from "./generatorWord.ts";
import { type Random, randomFrom } from "./generatorRandom.ts";
import { scriptOf } from "./generatorScript.ts";

/** Longer texts are refused unread: this is just below, where most work is done. */
const most = 65_000;

// Openers, closers and separators, alone and as they are written in haste.
const pieces =
  "( ) { } [ ] (( )) [[ ]] $( ${ $(( <( >( ` ' \" $' $\" \\ ; ;; & && | || |& ! # < > << <<< <<- >> &> = == =~ * ? ~ : , . .. " +
  "if then elif else fi for in do done while until case esac select function time coproc a b -c -- {a,b} {1..9} x=1 a[ ]= $x $@ " +
  "${x:- ${x/ @( !( eval bash env sudo xargs find -exec {} \\; + cat echo cd rm -rf / trap EXIT source";

// What terminals, other alphabets and broken encodings bring in.
const oddities = [
  "\0",
  "\u0001",
  "\u001b[2K",
  "\u001b]0;x\u0007",
  "\u007f",
  "\u0085",
  "\u00a0",
  "\u00ad",
  "\u200b",
  "\u200f",
  "\u202e",
  "\u2028",
  "\u2066",
  "\ue000",
  "\ue002",
  "\ufeff",
  "\uffff",
  "\ud800",
  "\udc00",
  "\ud83d\ude00",
  "\uff0f",
  "é",
  "\r",
  "\v",
  "\n",
  "\t",
];

const units = [...pieces.split(" "), ...oddities, " ", "\n"];

const soup = (random: Random, count: number): string => {
  let text = "";
  while (count-- > 0) text += pickForm(random, units) + (random.chance(0.5) ? " " : "");
  return text;
};

const bytes = (random: Random, count: number): string => {
  let text = "";
  while (count-- > 0) text += String.fromCharCode(random.below(random.chance(0.7) ? 0x80 : 0x1_0000));
  return text;
};

const forms: ReadonlyArray<(random: Random, seed: number) => string> = [
  (random) => soup(random, random.below(40)),
  (random) => bytes(random, random.below(200)),
  (_, seed) => scriptOf(seed),
  (random, seed) => {
    const script = scriptOf(seed);
    const at = random.below(script.length + 1);
    return script.slice(0, at) + pickForm(random, oddities) + script.slice(at);
  },
  // A short text over and over: what grows faster than its length shows.
  (random) => {
    const unit = soup(random, 1 + random.below(4));
    return unit.repeat(Math.floor((random.chance(0.03) ? most : 2_000) / Math.max(unit.length, 1)));
  },
  // Nested: all that opens, then all that closes.
  (random) => {
    const [open, close] = [soup(random, 1 + random.below(2)), soup(random, 1 + random.below(2))];
    const depth = Math.floor((random.chance(0.03) ? most : 1_000) / (open.length + close.length + 1));
    return open.repeat(depth) + soup(random, 2) + close.repeat(depth);
  },
];

/** The text of a seed: anything at all, hostile ones more often. */
export const textOf = (seed: number): string => {
  const random = randomFrom(seed);
  return pickForm(random, forms)(random, seed);
};
