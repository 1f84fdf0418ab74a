import { type Cell, startCell } from "@kumiko/machine-kit";
import type {
  AdmittedCall,
  Decision,
  FileChange,
  InspectedCall,
  ProposedCall,
  Tool,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from "@kumiko/plugin-api";
import { callActor, type EarlierCall } from "./EarlierCall.ts";
import type { SessionLog } from "./SessionLog.ts";
import { type ToolCallContext, type ToolCallEvent, type ToolCallIntent, toolCallMachine } from "./tool-call.machine.ts";

/** A proposed call on its way through the three phases: its machine, and what the phases found out about it. */
export class CallSlot {
  readonly part: ToolCallPart;
  readonly firstIntents: ReadonlyArray<ToolCallIntent>;
  /** How an earlier process left it, where one did. */
  readonly earlier: EarlierCall | undefined;
  readonly #cell: Cell<typeof toolCallMachine>;
  readonly #log: SessionLog;
  readonly #actor: string;

  tool: Tool | undefined;
  inspected: InspectedCall | undefined;
  proposed: ProposedCall | undefined;
  decision: Decision | undefined;
  admitted: AdmittedCall | undefined;
  approver: string | undefined;
  /** The call in the same reply that this one repeats, and whose result it shares. */
  original: CallSlot | undefined;
  cacheKey: string | undefined;
  /** False once an earlier call of the same reply may change what this one would read. */
  mayReuse = true;
  /** What it is about to change, as its tool found out. */
  changes: ReadonlyArray<FileChange> = [];
  /** Its end is written down with what came of it: others wait for it, and their intents are made safe after it. */
  isAwaited = false;
  output: ToolOutput | undefined;
  /** Its arguments do not fit: the tool and what is wrong, equal for equal mistakes. */
  misfit: string | undefined;
  /** Why it did not give an output, in words for the model. */
  problem: string | undefined;
  reused: ToolResultPart | undefined;
  durationMillis: number | undefined;
  result: ToolResultPart | undefined;

  constructor(part: ToolCallPart, log: SessionLog, earlier?: EarlierCall) {
    this.part = part;
    this.earlier = earlier;
    this.#log = log;
    this.#actor = callActor(part.id, (earlier?.attempts ?? 0) + 1);
    const { cell, intents } = startCell(toolCallMachine, undefined);
    const settled = earlier?.settled;
    this.#cell = settled === undefined ? cell : { snapshot: settled.snapshot, send: () => [] };
    this.firstIntents = settled === undefined ? intents : [];
    this.output = settled?.output;
    this.problem = settled?.problem;
  }

  get context(): ToolCallContext {
    return this.#cell.snapshot.context;
  }

  get isAdmitted(): boolean {
    return this.#cell.snapshot.value === "admitted";
  }

  /** It ran, or runs still. */
  get hasStarted(): boolean {
    return this.#cell.snapshot.value === "running" || this.context.disposition === "executed";
  }

  get isSettled(): boolean {
    return this.#cell.snapshot.value === "settled";
  }

  /** Gives the call's machine an event and writes it down. */
  send(event: ToolCallEvent): ReadonlyArray<ToolCallIntent> {
    this.#log.event(this.#actor, event);
    return this.#cell.send(event);
  }
}
