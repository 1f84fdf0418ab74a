import type { CommandPart } from "../CommandPart.ts";
import type { PartEffect } from "../PartEffect.ts";
import type { CommandReading } from "../readCommand.ts";
import type { Argv } from "../Unwrapped.ts";

/**
 * A fixed refusal (`block`), grounds never to allow without asking (`doubt`), or something that a fixed rule may be
 * about but that is only known when the command runs (`open`): where nobody is asked, it does not run.
 */
export interface Finding {
  readonly kind: "block" | "doubt" | "open";
  /** The fixed rule's name. */
  readonly rule: string;
  /** What the command would do, as a sentence without a capital. */
  readonly reason: string;
}

/** A part as the fixed rules look at it: by what it would do. */
export interface Suspect {
  readonly part: CommandPart;
  readonly effects: ReadonlyArray<PartEffect>;
  readonly reading: CommandReading | undefined;
  /** What runs in the end. */
  readonly argv: Argv;
  /** Its name, without folder, in lower case. */
  readonly program: string;
  readonly home: string;
}

/** A fixed rule about single parts. Pure; undefined: nothing to say. */
export type HardRule = (suspect: Suspect) => Finding | undefined;

export const block = (rule: string, reason: string): Finding => ({ kind: "block", rule, reason });

export const grave = (rule: string, reason: string): Finding => ({ kind: "doubt", rule, reason });

export const open = (rule: string, reason: string): Finding => ({ kind: "open", rule, reason });
