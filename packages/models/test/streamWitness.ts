// What a stream holds, read without the code under test: the plainest reading there is, so that a reply can be held
// against it.
import { isJsonObject, type Json, type JsonObject } from "@kumiko/plugin-api";
import type { WireFormat } from "../src/testing/index.ts";

/** Everything in a stream that a reply may be made of. */
export interface Witness {
  /** Names of tools, one for each place where the stream begins a call. */
  readonly starts: ReadonlyArray<string>;
  /** Texts of arguments, in the stream's order. */
  readonly fragments: ReadonlyArray<string>;
  /** The stream says that the reply is over. */
  readonly isTerminated: boolean;
}

/** Reads a stream's bytes as a witness. */
export const witness = (wire: WireFormat, bytes: Uint8Array): Witness => {
  const starts: Array<string> = [];
  const fragments: Array<string> = [];
  let isTerminated = false;
  const call = (name: Json | undefined): void => {
    if (typeof name === "string" && name !== "") starts.push(name);
  };
  const fragment = (text: Json | undefined): void => {
    if (typeof text === "string" && text !== "") fragments.push(text);
    if (isJsonObject(text)) fragments.push(JSON.stringify(text));
  };
  const item = (value: Json | undefined): void => {
    if (!isJsonObject(value) || value["type"] !== "function_call") return;
    call(value["name"]);
    fragment(value["arguments"]);
  };

  const readChat = (event: JsonObject): void => {
    const choice = list(event["choices"])[0];
    if (!isJsonObject(choice)) return;
    if (typeof choice["finish_reason"] === "string" && choice["finish_reason"] !== "") isTerminated = true;
    const delta = choice["delta"];
    for (const one of isJsonObject(delta) ? list(delta["tool_calls"]) : []) {
      const target = isJsonObject(one) ? one["function"] : undefined;
      if (!isJsonObject(target)) continue;
      call(target["name"]);
      fragment(target["arguments"]);
    }
  };
  const readAnthropic = (event: JsonObject): void => {
    const block = event["content_block"];
    if (event["type"] === "content_block_start" && isJsonObject(block) && block["type"] === "tool_use") {
      call(block["name"]);
      if (isJsonObject(block["input"]) && Object.keys(block["input"]).length > 0) fragment(block["input"]);
    }
    const delta = event["delta"];
    if (event["type"] === "content_block_delta" && isJsonObject(delta) && delta["type"] === "input_json_delta")
      fragment(delta["partial_json"]);
    if (event["type"] === "message_stop") isTerminated = true;
    if (event["type"] === "message_delta" && isJsonObject(delta) && typeof delta["stop_reason"] === "string")
      isTerminated ||= delta["stop_reason"] !== "";
  };
  const readResponses = (event: JsonObject): void => {
    const { type, delta, item: one, response } = event;
    if (type === "response.output_item.added" || type === "response.output_item.done") item(one);
    if (type === "response.function_call_arguments.delta") fragment(delta);
    if (type === "response.function_call_arguments.done") fragment(event["arguments"]);
    if (type !== "response.completed" && type !== "response.incomplete") return;
    isTerminated = true;
    for (const output of isJsonObject(response) ? list(response["output"]) : []) item(output);
  };
  const read = { chat: readChat, anthropic: readAnthropic, responses: readResponses }[wire];

  for (const data of events(new TextDecoder().decode(bytes))) {
    if (wire === "chat" && data === "[DONE]") isTerminated = true;
    const value = parsed(data);
    if (isJsonObject(value)) read(value);
  }
  return { starts, fragments, isTerminated };
};

const events = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = [];
  let data: Array<string> = [];
  for (const raw of `${text}\n\n`.split("\n")) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (line === "") {
      if (data.length > 0) found.push(data.join("\n"));
      data = [];
    } else if (line === "data") data.push("");
    else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
  }
  return found;
};

const parsed = (data: string): unknown => {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
};

const list = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : []);
