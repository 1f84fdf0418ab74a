import { Json } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";

/** A tool call that a step makes. Strings anywhere in `input` are templates. */
export const RehearsalCall = Schema.Struct({
  tool: Schema.NonEmptyString,
  input: Schema.optionalKey(Schema.Record(Schema.String, Json)),
});
export type RehearsalCall = typeof RehearsalCall.Type;

/** One model call: what is said (a template) and what is called. The last step of a part only says something. */
export const RehearsalStep = Schema.Struct({
  say: Schema.optionalKey(Schema.String),
  call: Schema.optionalKey(RehearsalCall),
  calls: Schema.optionalKey(Schema.NonEmptyArray(RehearsalCall)),
});
export type RehearsalStep = typeof RehearsalStep.Type;

/** A part that the rehearsal model can play, as it stands in a file. */
export const RehearsalPart = Schema.Struct({
  name: Schema.NonEmptyString,
  /** The prompt must hold every entry, as whole words; `a|b` is either, `todo*` begins a word. */
  when: Schema.NonEmptyArray(Schema.NonEmptyString),
  /** A prompt that plays this part, for the list shown to users. */
  example: Schema.optionalKey(Schema.String),
  steps: Schema.NonEmptyArray(RehearsalStep),
  /** Said (a template) when a call did not succeed, which ends the part. */
  otherwise: Schema.optionalKey(Schema.String),
});
export type RehearsalPart = typeof RehearsalPart.Type;

/** The calls of a step, whichever way they are written. */
export const callsOf = (step: RehearsalStep): ReadonlyArray<RehearsalCall> => [
  ...(step.call === undefined ? [] : [step.call]),
  ...(step.calls ?? []),
];

/** A file of parts that cannot be played: where, what is wrong, and what was expected. */
export class RehearsalPartsInvalid extends Schema.TaggedError<RehearsalPartsInvalid>()("RehearsalPartsInvalid", {
  file: Schema.String,
  /** Counted from 1; 0: the file as a whole. */
  line: Schema.Int,
  column: Schema.Int,
  problem: Schema.String,
}) {
  override get message(): string {
    return `${this.file}${this.line === 0 ? "" : `:${this.line}:${this.column}`}: ${this.problem}`;
  }
}
