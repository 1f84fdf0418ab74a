export type { Expected, Fault, PlainAnswer } from "./Fault.ts";
export { faults } from "./faults.ts";
export { type Frame, type FramePlace, textOfFrame } from "./Frame.ts";
export { type AskedCall, modelServer, type ModelServer, type ModelServerOptions } from "./ModelServer.node.ts";
export {
  played,
  type PlayedCall,
  type PlayedReply,
  type ScriptedCall,
  type ScriptedReply,
  type WireFormat,
  wireFormats,
} from "./ReplyScript.ts";
export { type SelfSigned, selfSigned } from "./selfSigned.node.ts";
export { wireFrames } from "./wireFrames.ts";
