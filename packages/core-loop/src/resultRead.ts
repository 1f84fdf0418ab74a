import { defineTool, type Tool, ToolFailed } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";

export const resultReadName = "result_read";

/** Most characters of one answer: less than what is shortened, so that an answer never is. */
const maxCharacters = 20_000;

/** Finds what a session keeps whole of a result; undefined: nothing under that reference. */
export type KeptResult = (sessionKey: string, reference: string) => Effect.Effect<string | undefined>;

const Input = Schema.Struct({
  reference: Schema.String.annotate({ description: 'As the shortened result says it, such as "r3"' }),
  offset: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description: "First character, from 0. Default 0" }),
  ),
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxCharacters })).annotate({
      description: `How many characters, at most ${maxCharacters}. Default: that`,
    }),
  ),
});

/** `result_read`: reads the whole of a result that was shortened for the context, a part at a time. */
export const resultRead = (find: KeptResult): Tool =>
  defineTool({
    name: resultReadName,
    description: "Reads more of an earlier result that was shortened, by the reference its text gives.",
    input: Input,
    risk: () => "read",
    resources: () => [],
    execute: ({ limit = maxCharacters, offset = 0, reference }, context) =>
      Effect.gen(function* () {
        const whole = yield* find(context.sessionKey, reference);
        if (whole === undefined)
          return yield* new ToolFailed({
            kind: "validation",
            detail: `there is no result under the reference ${JSON.stringify(reference)}`,
            hint: "Use a reference that a shortened result of this session gives.",
          });
        if (offset >= whole.length) return { text: `(the result has no more than ${whole.length} characters)` };
        const wanted = Math.min(whole.length, offset + limit);
        // Never inside a character: half of one is no text that can be sent.
        const code = whole.charCodeAt(wanted);
        const end = code >= 0xdc00 && code <= 0xdfff && wanted - 1 > offset ? wanted - 1 : wanted;
        const rest = whole.length - end;
        return {
          text: `${whole.slice(offset, end)}${rest > 0 ? `\n(${rest} more characters; go on with offset ${end})` : ""}`,
        };
      }),
  });
