/** A program that runs the command given in its arguments. */
export interface Wrapper {
  /** Options that take their value from the next word. */
  readonly values?: ReadonlyArray<string>;
  /** Options without a value, or with one attached. A letter stands for `-x`, also in a cluster. */
  readonly flags?: ReadonlyArray<string>;
  /** Operands before the command. */
  readonly operands?: number;
  /** `NAME=value` words may stand before the command. */
  readonly assigns?: boolean;
  /** Options that end the wrapping: nothing is run. */
  readonly queries?: ReadonlyArray<string>;
  /** The option whose value is the folder to run in. */
  readonly folder?: ReadonlyArray<string>;
  /** What it runs starts in another folder: always, or with one of these options. */
  readonly moves?: true | ReadonlyArray<string>;
  /** A rule for the inner command is enough: the wrapper adds no power. */
  readonly isTransparent: boolean;
  /** The rest is one script, joined by blanks, not a program and its arguments. */
  readonly joins?: boolean;
  /** Options whose value is a script. */
  readonly scripts?: ReadonlyArray<string>;
  /** The value of `-S` is taken apart into further arguments. */
  readonly splitsStrings?: boolean;
  /** Without a command it starts a shell, which reads standard input; `shellFlags`: only with one of these. */
  readonly startsShell?: boolean;
  readonly shellFlags?: ReadonlyArray<string>;
  /** Options may stand behind the operands, and what is left over are arguments of a shell. */
  readonly isPermuted?: boolean;
  /** Options, or values of options, that make it run something else. */
  readonly risks?: RegExp;
  /** Where one of these words stands, the command is what stands behind it. */
  readonly behind?: ReadonlyArray<string>;
}

/** A wrapper by some of its sub-commands: `npm exec`. */
export interface Runner extends Wrapper {
  /** The program and its sub-command; several that are alike are separated by ` | `. */
  readonly command: string;
  /** Options between the two with a value in the next word. */
  readonly globals?: ReadonlyArray<string>;
  /** The program that runs with the words given; `sub-command`: the sub-command is that program. */
  readonly lead?: string;
}

/** A list, written with blanks. */
export const words = (text: string): ReadonlyArray<string> => text.split(" ").filter((word) => word !== "");
