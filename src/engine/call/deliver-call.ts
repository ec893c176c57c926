// Sends what a tool gave through the pipeline, or past it if the pipeline would change nothing.

import { isNearEdge } from "../../core/contract/meta.ts";
import type { Notes, Outcome } from "../../core/contract/outcome.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { changesFor } from "../../core/pipeline/deliver/reader-changes.ts";
import { traitsOf } from "../../core/pipeline/dialect/dialects.ts";
import { fitsWhole } from "../../core/pipeline/fit/fit.ts";
import { mayNeedReading } from "../../core/pipeline/outcome/failure-signs.ts";
import { type Arrival, type Parcel, partOf } from "../../core/pipeline/parcel.ts";
import type { PipelineContext } from "../../core/pipeline/pipeline-context.ts";
import { runStages } from "../../core/pipeline/pipeline.ts";
import type { CallWatch } from "../observe/call-facts.ts";
import { byteLength } from "../runtime/byte-length.ts";
import {
  type AnsweredCall,
  type CallTimes,
  PassedThrough,
  elsewhereOf,
  readableError,
  thrownArrival,
} from "./answered-call.ts";
import { bytesBehind, fencedFor, measureFor, wholeFor, writtenFor } from "./call-reader.ts";
import { assertValid, contextOf, tokensOf } from "./call-context.ts";
import type { ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";
import { isThrownByTool } from "./execute-tool.ts";

type Watches = readonly CallWatch[] | undefined;

/** The listeners of a delivery, and the times of its call; a result that arrives after its call has no times. */
interface DeliveryWatch {
  readonly watches?: Watches;
  readonly times?: CallTimes | undefined;
}

/** Delivers an arrival with the notes of its call, and tells the listeners. */
export async function deliverArrival(
  state: ContractState,
  call: ToolCall,
  arrival: Arrival,
  { watches, times }: DeliveryWatch = {},
): Promise<AnsweredCall> {
  const elsewhere = arrival.kind === "result" ? elsewhereOf(arrival) : undefined;
  // Listeners to stages must see the stages run here.
  const isHere = elsewhere === undefined || watches?.some(({ stage }) => stage !== undefined) === true;
  const answered = await (isHere
    ? deliverHere(state, call, arrival, watches)
    : elsewhere(state, call, call.notes.toNotes()).then(
        (done) => done ?? deliverHere(state, call, readNow(arrival), watches),
        (error: unknown) => process(state, call, thrownArrival(readableError(error)), watches),
      ));
  state.events.answered(call, answered, times);
  return answered;
}

/** Parses an arrival, as a copy; throws if it is not an answer at all. */
function readNow(arrival: Arrival): Arrival {
  try {
    return { ...arrival };
  } catch (error) {
    if (PassedThrough.isInstance(error)) throw error;
    return thrownArrival(readableError(error));
  }
}

/** Delivers an arrival in this thread. */
async function deliverHere(
  state: ContractState,
  call: ToolCall,
  arrival: Arrival,
  watches: Watches,
): Promise<AnsweredCall> {
  const isByResult = traitsOf(call.contract.dialect).choosesByResult === true;
  if (!isByResult || arrival.kind !== "result" || !(await isBestUntouched(state, call, arrival)))
    return process(state, call, arrival, watches);
  const whole = writtenFor(call, arrival, wholeFor(call, arrival.result));
  const read = whole === arrival.result ? arrival : { ...arrival, result: whole };
  const isUntouched = read === arrival;
  if (!isUntouched && !(await isBestUntouched(state, call, read))) {
    // A structure that was made here is read as notes, and the texts that it repeats could not be cut.
    const isMade = arrival.result["structuredContent"] === undefined;
    return isMade ? process(state, call, arrival, watches) : process(state, call, read, watches, arrival);
  }
  const changes = isUntouched ? undefined : () => changesFor(arrival.result, whole);
  return { result: read.result, outcome: undefined, arrival, isUntouched, dialect: "plain", changes };
}

async function process(
  state: ContractState,
  call: ToolCall,
  arrival: Arrival,
  watches: Watches,
  given: Arrival = arrival,
): Promise<AnsweredCall> {
  const isRefused = arrival.kind === "thrown" && !isThrownByTool(arrival.error);
  // For a refused call, the question about its result does not matter.
  const asked = isRefused && call.select !== undefined ? { ...call, select: undefined } : call;
  const onStage = state.events.stageTeller(watches, (parcel) => tokensOf(state, parcel));
  const parcel = await send(call, arrival, contextOf(state, asked, arrival), onStage);
  const sent = partOf(parcel, "result");
  const { dialect } = partOf(parcel, "wire");
  const whole = writtenFor(asked, given, wholeFor(asked, sent as unknown as JsonObject, parcel));
  const result = fencedFor(asked, whole);
  const isUntouched = given.kind === "result" && given.result === result;
  if (!isUntouched) assertValid(state, sent, call, dialect);
  const { outcome, source, trace } = parcel;
  logMetadataInData(state, call, outcome);
  // A result that was made whole before the stages may have been cut by them, and made whole again.
  const changes = (): readonly string[] => [
    ...(given.kind === "result" && arrival.kind === "result" ? changesFor(given.result, arrival.result) : []),
    ...changesFor(sent as unknown as JsonObject, whole),
    ...(result === whole ? [] : ["it was put between two lines that say that it is data"]),
  ];
  return { result, outcome, arrival: given, isUntouched, dialect, source, trace, isRefused, changes };
}

/** Reading or writing data and notes can still throw; the model learns as little of that as of any other error. */
async function send(
  { notes }: ToolCall,
  arrival: Arrival,
  context: PipelineContext,
  onStage: ((parcel: Parcel) => void) | undefined,
): Promise<Parcel> {
  try {
    return await runStages(withNotes(arrival, notes.toNotes()), context, onStage);
  } catch (error) {
    const hasRun = arrival.kind !== "thrown";
    return runStages({ kind: "thrown", error: readableError(error), hasRun }, context, onStage);
  }
}

/** Written out for values, the most frequent arrivals: a spread is slower than the object literal. */
function withNotes(arrival: Arrival, notes: Notes): Arrival {
  const { kind, pager } = arrival;
  return kind === "value" ? { kind, value: arrival.value, notes, pager } : { ...arrival, notes };
}

/** Metadata in the data is sent as it is; the log says once for each tool where the metadata belongs. */
function logMetadataInData(
  state: ContractState,
  { tool, contract, identity }: ToolCall,
  outcome?: Outcome,
): void {
  if (outcome?.ok !== true) return;
  const keys = traitsOf(contract.dialect).strays?.(outcome.data) ?? [];
  if (keys.length === 0 || !state.isNews(`strays ${tool.name}`)) return;
  const { requestId } = identity;
  const fields = { rule: "data/no-metadata", keys };
  state.events.trouble({ event: "metadata-in-data", level: "warn", requestId, tool: tool.name, fields });
}

// A first look at a ready-made result under `auto`: most are successes that fit and need no notes. They are
// sent as they came, without being parsed, copied or rendered. Anything doubtful goes through the pipeline,
// which may send the same result.

/** Notes that a profile may show even if the call noted nothing. */
const ownNotes = ["telemetry", "toolId", "toolVersion", "tier", "capabilities"] as const;

function hasSaid({ warnings, pagination, rateLimit, upgradeHints, fidelity, extra }: Notes): boolean {
  if (rateLimit !== undefined && isNearEdge(rateLimit)) return true;
  return [warnings, pagination, upgradeHints, fidelity, extra].some((note) => note !== undefined);
}

/** True if neither the profile nor the call's notes add anything to the result. */
function isSilent({ contract, notes }: ToolCall, arrival: Arrival): boolean {
  const { show } = contract.profileObject;
  if (show.rateLimit === "always" || ownNotes.some((note) => show[note] === "always")) return false;
  return !hasSaid(notes.toNotes()) && (arrival.notes === undefined || !hasSaid(arrival.notes));
}

/** Whether the stage `shape` would leave every success of this call unchanged. */
function isShapeless({ masksSuccesses }: ContractState, { contract, tool, select }: ToolCall): boolean {
  const isKept = contract.filter === undefined && contract.encoding === "json" && !contract.lean;
  if (select !== undefined || masksSuccesses || contract.tool.untrusted || !isKept) return false;
  return tool.schemas.deprecated === undefined;
}

/** True if one look shows that the result can be sent as it is. */
function isBestUntouched(state: ContractState, call: ToolCall, arrival: Arrival): boolean | Promise<boolean> {
  if (arrival.kind !== "result" || !isSilent(call, arrival) || !isShapeless(state, call)) return false;
  if (mayNeedReading(arrival.result, call.contract.tool.failureStarts)) return false;
  const { budget, tool } = call.contract;
  // A widget reads its tool's data itself, so the data is never cut.
  if (tool.staysPlain) return true;
  return fitsWhole(arrival.result, {
    budget,
    counter: state.counter,
    byteLength,
    maxBlobBytes: tool.maxBlobBytes,
    showTo: measureFor(call),
    get bytes() {
      return bytesBehind(call, arrival);
    },
  });
}
