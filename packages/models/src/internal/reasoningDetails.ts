import type { JsonObject } from "@kumiko/plugin-api";
import { textIn } from "./wireJson.ts";

/**
 * Adds one streamed entry of OpenRouter's `reasoning_details` to those before it: fragments of one entry, told by type
 * and index, become one, as the server wants them back.
 */
export const addReasoningDetail = (details: Array<JsonObject>, detail: JsonObject): void => {
  const last = details.at(-1);
  const field = detail["type"] === "reasoning.summary" ? "summary" : "text";
  const goesOn =
    last !== undefined &&
    last["type"] === detail["type"] &&
    last["index"] === detail["index"] &&
    detail["type"] !== "reasoning.encrypted";
  if (!goesOn) {
    details.push(detail);
    return;
  }
  const told = Object.entries(detail).filter(([, value]) => value !== null);
  details[details.length - 1] = {
    ...last,
    ...Object.fromEntries(told),
    [field]: textIn(last, field) + textIn(detail, field),
  };
};
