// What the bodies are made of fits the official clients' types: `npm run typecheck` fails when a provider's types say
// otherwise. That the bodies really are made of it, the tests of the bodies check against literals of the same types.
import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";
import type { LanguageModelV2Prompt, LanguageModelV3Prompt, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import type { Message } from "@kumiko/plugin-api";
import type { AnthropicThinking } from "../src/AnthropicBody.ts";
import type { AnthropicBlock, AnthropicFormat, AnthropicTool } from "../src/AnthropicWire.ts";
import { aiSdkFormV2, aiSdkFormV3, aiSdkFormV4, aiSdkMessages } from "../src/AiSdkPrompt.ts";
import type { ChatMessage, ChatResponseFormat, ChatTool } from "../src/ChatCompletionsWire.ts";
import { fromAiSdk } from "../src/index.ts";
import type { ResponsesReasoning } from "../src/ResponsesBody.ts";
import type { ResponsesItem, ResponsesText, ResponsesTool } from "../src/ResponsesWire.ts";

type Fits<A extends B, B> = A;

export type Checked = [
  Fits<Array<AnthropicBlock>, Exclude<Anthropic.MessageParam["content"], string>>,
  Fits<Array<AnthropicTool>, NonNullable<Anthropic.MessageCreateParams["tools"]>>,
  Fits<AnthropicFormat, NonNullable<Anthropic.OutputConfig["format"]>>,
  Fits<AnthropicThinking, Anthropic.ThinkingConfigParam>,
  Fits<Array<ChatMessage>, OpenAI.ChatCompletionCreateParamsStreaming["messages"]>,
  Fits<Array<ChatTool>, NonNullable<OpenAI.ChatCompletionCreateParamsStreaming["tools"]>>,
  Fits<ChatResponseFormat, NonNullable<OpenAI.ChatCompletionCreateParamsStreaming["response_format"]>>,
  Fits<Array<ResponsesItem>, OpenAI.Responses.ResponseInput>,
  Fits<Array<ResponsesTool>, NonNullable<OpenAI.Responses.ResponseCreateParamsStreaming["tools"]>>,
  Fits<ResponsesText, NonNullable<OpenAI.Responses.ResponseCreateParamsStreaming["text"]>>,
  Fits<ResponsesReasoning, NonNullable<OpenAI.Responses.ResponseCreateParamsStreaming["reasoning"]>>,
];

declare const messages: ReadonlyArray<Message>;
export const promptV2: LanguageModelV2Prompt = aiSdkMessages("", messages, aiSdkFormV2, "m");
export const promptV3: LanguageModelV3Prompt = aiSdkMessages("", messages, aiSdkFormV3, "m");
export const promptV4: LanguageModelV4Prompt = aiSdkMessages("", messages, aiSdkFormV4, "m");

declare const models: [LanguageModelV2, LanguageModelV3, LanguageModelV4];
export const made = models.map((model) => fromAiSdk(model));
