export type { AdmittedCall } from "./AdmittedCall.ts";
export { AuditDisposition, AuditRecord } from "./AuditRecord.ts";
export { CommandEffect, Decision, DecisionLayer, Resource, Risk, strictest, Verdict, worseRisk } from "./Decision.ts";
export { defineTool, type ToolDefinition } from "./defineTool.ts";
export { type Contribution, type ExtensionPoint, extensionPoint } from "./ExtensionPoint.ts";
export { fromJsonSchema } from "./InputSchema.ts";
export { canonicalJson, frozenCopy, isJsonObject, isTooDeep, Json, type JsonObject, maxJsonDepth } from "./Json.ts";
export {
  AssistantMessage,
  ImagePart,
  Message,
  ReasoningPart,
  TextPart,
  textOf,
  ToolCallPart,
  toolCallsOf,
  ToolMessage,
  ToolResultPart,
  ToolStatus,
  UserMessage,
  userText,
} from "./Message.ts";
export {
  addUsage,
  type LanguageModel,
  ModelCallFailed,
  type ModelEvent,
  ModelFailureReason,
  type ModelReply,
  type ModelRequest,
  noUsage,
  type OutputSpec,
  parseToolInput,
  StopReason,
  type ToolSpec,
  Usage,
} from "./Model.ts";
export { costOf, type ModelPrices } from "./ModelPrices.ts";
export { PermissionGate, type ProposedCall } from "./PermissionGate.ts";
export { definePlugin, type Plugin, pluginApiVersion, type PluginDefinition, PluginFailed } from "./Plugin.ts";
export {
  type AdmissionVerdict,
  type AfterVerdict,
  Audit,
  ModelCall,
  PromptBuild,
  type PromptDraft,
  type PromptSection,
  RunEnd,
  type RunInfo,
  type SettledCall,
  ToolCallAdmit,
  ToolCallAfter,
  Tools,
  WorkspaceRoot,
} from "./points.ts";
export { isEphemeral, RunEvent, type RunEventBody, runEventSchemaVersion } from "./RunEvent.ts";
export { OutcomeFlag, RunOutcome, RunStatus } from "./RunOutcome.ts";
export { type InspectedCall, type Tool, type ToolContext, ToolFailed, ToolInputInvalid, ToolOutput } from "./Tool.ts";
export { type FileChange, FileState, KnownFile, type Recovered, type Recovery, SavedChange } from "./Recovery.ts";
