import { sendableKey } from "../ModelEndpoint.ts";
import type { WireFormat } from "../StreamingModel.ts";

/** The headers and secrets of a key that is sent as a bearer token; none without a key. */
export const bearer = (apiKey: string | undefined): Pick<WireFormat, "headers" | "secrets"> => {
  if (apiKey === undefined) return { headers: {}, secrets: [] };
  const key = sendableKey(apiKey);
  return { headers: { authorization: `Bearer ${key}` }, secrets: [key] };
};
