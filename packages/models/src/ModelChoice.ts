import type { ModelPrices } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import type { Wire } from "./providers.ts";

/** A model of some server, decided but not made. It holds the key: never log it. */
export interface RemoteChoice {
  readonly type: "remote";
  readonly wire: Wire;
  readonly provider: string;
  /** The account, where it is not the provider's default one. */
  readonly profile?: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** A bearer token in place of the key, on the wire of Anthropic. */
  readonly authToken?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly proxy?: string;
  readonly contextWindowTokens?: number;
  readonly maxOutputTokens?: number;
  readonly prices?: ModelPrices;
  readonly maxTokensField?: "max_completion_tokens";
  /** The field in which a model's reasoning goes back to it; see `openAiCompatible`. */
  readonly sendsReasoning?: "reasoning_content" | "reasoning_details" | "extra_content";
  /** What may stand in for it, in order: other accounts of the same model, then the fallbacks. */
  readonly candidates: ReadonlyArray<Omit<RemoteChoice, "candidates">>;
}

/** Which model to use, decided but not made; see `makeModel` and `makeModels`. */
export type ModelChoice = { readonly type: "rehearsal" } | RemoteChoice;

/** A model name that names no model, or one that lacks something: what is wrong and what would work. */
export class ModelNameInvalid extends Schema.TaggedError<ModelNameInvalid>()("ModelNameInvalid", {
  name: Schema.String,
  problem: Schema.String,
  hint: Schema.String,
}) {
  override get message(): string {
    return `model "${this.name}": ${this.problem}. ${this.hint}`;
  }
}
