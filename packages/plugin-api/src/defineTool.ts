import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import type { Resource, Risk } from "./Decision.ts";
import { jsonSchemaOf } from "./InputSchema.ts";
import { spend } from "./internal/mintedCalls.ts";
import { schemaProblem } from "./internal/schemaProblem.ts";
import { canonicalJson } from "./Json.ts";
import { ImagePart } from "./Message.ts";
import { type FileChange, KnownFile, type Recovered, type Recovery } from "./Recovery.ts";
import { type Tool, type ToolContext, ToolFailed, ToolInputInvalid, type ToolOutput } from "./Tool.ts";

/** How {@link defineTool} is told of a tool. Functions of the input get it decoded. */
export interface ToolDefinition<Input> {
  /** Letters, digits, `_` and `-`, at most 64: what every provider accepts. */
  readonly name: string;
  readonly description: string;
  /** An Effect Schema of an object; `fromJsonSchema` makes one of a JSON Schema. */
  readonly input: Schema.Decoder<Input>;
  /** Default: `remote-write`, the gravest that can still be taken back. */
  readonly risk?: Risk | ((input: Input) => Risk);
  /** Default: none. `cwd` resolves relative paths. */
  readonly resources?: (input: Input, cwd: string) => ReadonlyArray<Resource>;
  /**
   * The shell command the call would run, for tools that run one. With risk `irreversible`, what its analysis says is
   * not all that can happen: the call is asked about as well.
   */
  readonly command?: (input: Input) => string | undefined;
  readonly effectKey?: (input: Input, cwd: string) => string;
  /**
   * What becomes of a call whose process died while it ran. Default: `rerun` for calls of risk `read`, `lookup` where
   * there is a `lookup`, else `ask`. Say `rerun` only where twice is as good as once.
   */
  readonly recovery?: Recovery;
  /** Which files the call will change, found out right before it does: see `InspectedCall.prepare`. */
  readonly prepare?: (
    input: Input,
    context: ToolContext & { readonly signal: AbortSignal },
  ) =>
    | ReadonlyArray<FileChange>
    | Promise<ReadonlyArray<FileChange>>
    | Effect.Effect<ReadonlyArray<FileChange>, ToolFailed>;
  /** Whether an earlier attempt happened: see `InspectedCall.lookup`. A failure counts as `unknown`. */
  readonly lookup?: (
    input: Input,
    changes: ReadonlyArray<FileChange>,
    context: ToolContext & { readonly signal: AbortSignal },
  ) => Recovered | Promise<Recovered> | Effect.Effect<Recovered>;
  /** Default: false. Only tools of risk `read` may be cacheable. */
  readonly cacheable?: boolean;
  /** Default: 120 000 ms: most builds and test runs end within it; a tool that waits for people sets its own. */
  readonly timeoutMillis?: number;
  /**
   * Does the work. May return an Effect, a promise, or the value itself; a string stands for `{ text }`. A thrown error
   * or a rejected promise counts as {@link ToolFailed}. Must stop when interrupted: `signal` says so to promises.
   */
  readonly execute: (
    input: Input,
    context: ToolContext & { readonly signal: AbortSignal },
  ) => ToolReturn | Promise<ToolReturn> | Effect.Effect<ToolReturn, ToolFailed>;
}

type ToolReturn = string | ToolOutput;

/**
 * Makes a tool.
 *
 * Throws a `TypeError` when the definition itself is wrong: a bad name, an input that is no object.
 *
 * @example
 * ```ts
 * const shout = defineTool({
 *   name: "shout",
 *   description: "Returns the text in capitals.",
 *   input: Schema.Struct({ text: Schema.String }),
 *   risk: "read",
 *   execute: ({ text }) => text.toUpperCase(),
 * })
 * ```
 */
export const defineTool = <Input>(definition: ToolDefinition<Input>): Tool => {
  const { name, description } = definition;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw new TypeError(`tool name ${JSON.stringify(name)}: use 1 to 64 letters, digits, _ or -`);
  const inputSchema = jsonSchemaOf(definition.input);
  if (inputSchema["type"] !== "object") throw new TypeError(`tool ${name}: its input must be an object`);
  const { cacheable = false, risk = "remote-write", timeoutMillis = 120_000 } = definition;
  if (cacheable && risk !== "read") throw new TypeError(`tool ${name}: only tools of risk "read" can be cacheable`);
  // A field that the tool would ignore must not be there: a rule or a person might take it for what will be done.
  const decode = Schema.decodeUnknownResult(definition.input, { onExcessProperty: "error" });

  const { lookup, prepare } = definition;
  const riskOf = (input: Input): Risk => (typeof risk === "function" ? risk(input) : risk);
  const inspect: Tool["inspect"] = (raw, cwd) =>
    Result.mapBoth(decode(raw), {
      onFailure: (error) => new ToolInputInvalid({ tool: name, detail: schemaProblem(error.message) }),
      onSuccess: (input) => {
        const command = definition.command?.(input);
        return {
          risk: riskOf(input),
          resources: definition.resources?.(input, cwd) ?? [],
          recovery:
            definition.recovery ??
            (definition.lookup !== undefined ? "lookup" : riskOf(input) === "read" ? "rerun" : "ask"),
          ...(prepare === undefined
            ? {}
            : { prepare: (context) => calling((signal) => prepare(input, { ...context, signal })) }),
          ...(lookup === undefined
            ? {}
            : {
                lookup: (changes, context) =>
                  Effect.catchCause(
                    calling((signal) => lookup(input, changes, { ...context, signal })),
                    (cause) => Effect.succeed<Recovered>({ type: "unknown", detail: String(Cause.squash(cause)) }),
                  ),
              }),
          ...(command === undefined ? {} : { command }),
          ...(definition.effectKey === undefined ? {} : { effectKey: definition.effectKey(input, cwd) }),
          execute: (call, context) =>
            Effect.suspend(() => {
              const isThisCall =
                call.name === name && (call.input === raw || canonicalJson(call.input) === canonicalJson(raw));
              const problem = isThisCall ? spend(call) : "the admitted form of another call";
              return problem === undefined
                ? run(definition, input, context)
                : Effect.die(new TypeError(`${name} was given ${problem}`));
            }),
        };
      },
    });
  return { name, description, inputSchema, cacheable, timeoutMillis, inspect };
};

const run = <Input>(
  definition: ToolDefinition<Input>,
  input: Input,
  context: ToolContext,
): Effect.Effect<ToolOutput, ToolFailed> =>
  calling((signal) => definition.execute(input, { ...context, signal })).pipe(
    Effect.flatMap((value) => {
      const output = outputOf(value);
      return output === undefined
        ? Effect.fail(
            new ToolFailed({ kind: "failed", detail: `${definition.name} gave no text (a bug in the tool).` }),
          )
        : Effect.succeed(output);
    }),
  );

// Whatever a tool's function returns: an Effect, a promise or the value; what it throws is a failure.
const calling = <A>(
  call: (signal: AbortSignal) => A | Promise<A> | Effect.Effect<A, ToolFailed>,
): Effect.Effect<A, ToolFailed> =>
  Effect.suspend(() => {
    const controller = new AbortController();
    const returned = call(controller.signal);
    if (Effect.isEffect(returned)) return returned;
    if (!(returned instanceof Promise)) return Effect.succeed(returned);
    return Effect.onInterrupt(Effect.tryPromise({ try: () => returned, catch: failedFrom }), () =>
      Effect.sync(() => controller.abort()),
    );
  }).pipe(Effect.catchDefect((defect) => Effect.fail(failedFrom(defect))));

// Read once into an object of our own: what a tool returned may be anything, and may change later.
const outputOf = (value: unknown): ToolOutput | undefined => {
  if (typeof value === "string") return { text: value };
  if (typeof value !== "object" || value === null || !("text" in value)) return undefined;
  const { text } = value;
  const images = "images" in value ? value.images : undefined;
  if (typeof text !== "string") return undefined;
  const files = "files" in value ? value.files : undefined;
  if (images !== undefined && !isImages(images)) return undefined;
  if (files !== undefined && !isKnownFiles(files)) return undefined;
  return {
    text,
    ...(images === undefined ? {} : { images: images.map(({ data, mediaType, type }) => ({ type, mediaType, data })) }),
    ...(files === undefined ? {} : { files: files.map(({ digest, path }) => ({ path, digest })) }),
  };
};
const isImages = Schema.is(Schema.Array(ImagePart));
const isKnownFiles = Schema.is(Schema.Array(KnownFile));

const failedFrom = (cause: unknown): ToolFailed =>
  cause instanceof ToolFailed
    ? cause
    : new ToolFailed({ kind: "failed", detail: cause instanceof Error ? cause.message : String(cause) });
