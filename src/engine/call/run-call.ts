// One call, through any door: the caller, the agreement, the tool behind its guards, the pipeline, the
// listeners. It is asynchronous only if a step is, and everything runs inside the call's async scope.

import { faults } from "../../core/contract/faults.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import type { Notes, Outcome } from "../../core/contract/outcome.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import type { CallFacts, CallWatch } from "../observe/call-facts.ts";
import {
  type Arrival,
  type Parcel,
  type PipelineContext,
  type Source,
  partOf,
} from "../../core/pipeline/parcel.ts";
import { traitsOf } from "../../core/pipeline/dialect/dialects.ts";
import { runStages } from "../../core/pipeline/pipeline.ts";
import { type MaybePromise, attempt, chain } from "../../core/pipeline/maybe-promise.ts";
import { byteLength } from "../runtime/byte-length.ts";
import { assertValid, contextOf, tokensOf } from "./call-context.ts";
import type { CallRequest } from "../request/call-request.ts";
import { runInTrackedScope, runInCallScope } from "./call-scope.ts";
import { type CalledTool, type ToolCall, calledTool, isUnfinished } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";
import { executeTool, gateTool, isThrownByTool } from "./execute-tool.ts";
import { openCall } from "./open-call.ts";
import { elsewhereOf } from "./raw-result.ts";
import { tellAuthor } from "./tell-author.ts";
import { logFaultCause, tellLegacy, logMetadataInData, logUndeclaredFault } from "./tell-call.ts";
import type { ToolDefinition } from "../settings/tool-definition.ts";
import { CallCancelled, PassedThrough, isForTheClient, readableError } from "./unanswered.ts";
import { isNearEdge } from "../../core/contract/meta.ts";
import { fitsWhole } from "../../core/pipeline/fit/fits-whole.ts";
import { mayNeedReading } from "../../core/pipeline/outcome/failure-signs.ts";

export interface AnsweredCall {
  readonly result: JsonObject;
  /** Undefined for a result that is not an answer yet. */
  readonly outcome: Outcome | undefined;
  readonly arrival: Arrival;
  /** The result is the very object that arrived: nothing was removed and nothing added. Its bytes may be sent again. */
  readonly isUntouched: boolean;
  /** The dialect of the answer; undefined for a result that is not an answer yet. */
  readonly dialect: DialectId | undefined;
  /** The notes that the result had before it was changed here; our notes are added to them. */
  readonly source?: Pick<Source, "notes" | "isEnvelope"> | undefined;
  /** What each stage did, in words; undefined if the result skipped the pipeline. */
  readonly trace?: Parcel["trace"] | undefined;
  /** The result is final: nothing more is added to it. */
  readonly isFinished?: boolean;
  /** Thrown by a door for a response that is not an answer yet and is passed on as it is. */
  readonly passed?: PassedThrough;
}

/** When the call was opened, when its tool was called, and when the tool answered, by `performance.now()`. */
export interface CallTimes {
  readonly openedAt: number;
  readonly askedAt: number;
  readonly arrivedAt: number;
}

/** A question that no result could answer is refused before the tool runs. */
function execute(state: ContractState, call: ToolCall): MaybePromise<Arrival> {
  if (call.select === undefined) return executeTool(state, call);
  return state.questions.check(call.select).then(() => executeTool(state, call));
}

/** Rejects only with an error that the client must handle, or with a response that a door wants passed on as it is. */
function arrive(state: ContractState, call: ToolCall): MaybePromise<Arrival> {
  return attempt(
    () => {
      if (call.refusal !== undefined) throw call.refusal.error;
      gateTool(state, call);
      const isLimited = call.tool.config.rateLimit !== undefined || state.options.rateLimit !== undefined;
      return isLimited ? state.guards.limit(call).then(() => execute(state, call)) : execute(state, call);
    },
    (arrival) => {
      // A repeated idempotency key gets the refusal of the first call.
      if (arrival.kind === "thrown" && !isThrownByTool(arrival.error)) call.notes.refuse();
      return arrival;
    },
    (thrown): Arrival => {
      if (PassedThrough.isInstance(thrown)) throw thrown;
      const error = readableError(thrown);
      if (isForTheClient(error)) throw error;
      if (!isThrownByTool(error)) call.notes.refuse();
      return thrownArrival(error);
    },
  );
}

function thrownArrival(error: unknown): Arrival {
  const isCancelled = CallCancelled.isInstance(error);
  if (!isCancelled) return { kind: "thrown", error };
  return { kind: "thrown", error: faults.unavailable("The call was cancelled"), isCancelled };
}

/** Written out for values, the most frequent arrivals: a spread is slower than the object literal. */
function withNotes(arrival: Arrival, notes: Notes): Arrival {
  const { kind, pager } = arrival;
  return kind === "value" ? { kind, value: arrival.value, notes, pager } : { ...arrival, notes };
}

/** Reading or writing data and notes can still throw; the model learns as little of that as of any other error. */
function send(
  { notes }: ToolCall,
  arrival: Arrival,
  context: PipelineContext,
  onStage: ((parcel: Parcel) => void) | undefined,
): MaybePromise<Parcel> {
  return attempt(
    () => runStages(withNotes(arrival, notes.toNotes()), context, onStage),
    (parcel) => parcel,
    (error) => {
      const hasRun = arrival.kind !== "thrown";
      return runStages({ kind: "thrown", error: readableError(error), hasRun }, context, onStage);
    },
  );
}

function unfinished(result: JsonObject, arrival: Arrival): AnsweredCall {
  return { result, outcome: undefined, arrival, isUntouched: false, dialect: undefined };
}

/** A response that is not an answer yet has not failed. */
function passOn(thrown: unknown): AnsweredCall {
  if (!PassedThrough.isInstance(thrown) || !thrown.isUnfinished) throw thrown;
  return { ...unfinished({}, { kind: "value", value: undefined }), passed: thrown };
}

function answer(
  state: ContractState,
  call: ToolCall,
  openedAt: number,
  watches: readonly CallWatch[] | undefined,
): MaybePromise<AnsweredCall> {
  const { contract, notes } = call;
  if (contract.source.dialect === "flag") tellLegacy(state, call);
  const askedAt = performance.now();
  return attempt(
    () => arrive(state, call),
    (arrival): MaybePromise<AnsweredCall> => {
      if (arrival.kind === "value" && isUnfinished(arrival.value))
        return unfinished(arrival.value as JsonObject, arrival);
      const arrivedAt = performance.now();
      logFaultCause(state, call, arrival);
      if (arrival.notes !== undefined) notes.take(arrival.notes);
      notes.measure({ duration_ms: Math.round((arrivedAt - askedAt) * 100) / 100 });
      for (const warning of contract.warnings) notes.warn(warning);
      return deliverArrival(state, call, arrival, { watches, times: { openedAt, askedAt, arrivedAt } });
    },
    (thrown) => {
      state.events.unanswered(call, thrown, { openedAt, askedAt, arrivedAt: performance.now() });
      return passOn(thrown);
    },
  );
}

function isRefused(arrival: Arrival): boolean {
  return arrival.kind === "thrown" && !isThrownByTool(arrival.error);
}

/** For a refused call, the question about its result does not matter. */
function askedOf(call: ToolCall, arrival: Arrival): ToolCall {
  return isRefused(arrival) && call.select !== undefined ? { ...call, select: undefined } : call;
}

function process(
  state: ContractState,
  call: ToolCall,
  arrival: Arrival,
  watches: readonly CallWatch[] | undefined,
): MaybePromise<AnsweredCall> {
  const onStage = state.events.stageTeller(watches, (parcel) => tokensOf(state, parcel));
  return chain(send(call, arrival, contextOf(state, askedOf(call, arrival)), onStage), (parcel) => {
    const sent = partOf(parcel, "result");
    const { dialect } = partOf(parcel, "wire");
    const result = sent as unknown as JsonObject;
    const isUntouched = arrival.kind === "result" && arrival.result === result;
    if (!isUntouched) assertValid(state, sent, call, dialect);
    logMetadataInData(state, call, parcel.outcome);
    if (!isRefused(arrival)) {
      logUndeclaredFault(state, call, parcel.outcome);
      tellAuthor(state, call, arrival, parcel.outcome);
    }
    const { outcome, source, trace } = parcel;
    return { result, outcome, arrival, isUntouched, dialect, source, trace };
  });
}

/** The listeners of a delivery, and the times of its call; a result that arrives after its call has no times. */
interface DeliveryWatch {
  readonly watches?: readonly CallWatch[] | undefined;
  readonly times?: CallTimes | undefined;
}

/**
 * Sends an arrival, with the notes of its call, through the pipeline, or past it if the pipeline would change
 * nothing.
 */
export function deliverArrival(
  state: ContractState,
  call: ToolCall,
  arrival: Arrival,
  { watches, times }: DeliveryWatch = {},
): MaybePromise<AnsweredCall> {
  return chain(deliver(state, call, arrival, watches), (answered) => {
    state.events.answered(call, answered, times);
    return answered;
  });
}

function deliver(
  state: ContractState,
  call: ToolCall,
  arrival: Arrival,
  watches: readonly CallWatch[] | undefined,
): MaybePromise<AnsweredCall> {
  const elsewhere = arrival.kind === "result" ? elsewhereOf(arrival) : undefined;
  // Listeners to stages must see the stages run here.
  if (elsewhere === undefined || watches?.some(({ stage }) => stage !== undefined) === true)
    return deliverHere(state, call, arrival, watches);
  return elsewhere(state, call, call.notes.toNotes()).then(
    (answered) => answered ?? deliverHere(state, call, readNow(arrival), watches),
    (error: unknown) => process(state, call, thrownArrival(readableError(error)), watches),
  );
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

function deliverHere(
  state: ContractState,
  call: ToolCall,
  arrival: Arrival,
  watches: readonly CallWatch[] | undefined,
): MaybePromise<AnsweredCall> {
  if (traitsOf(call.contract.dialect).choosesByResult !== true) return process(state, call, arrival, watches);
  return chain(isBestUntouched(state, call, arrival), (isUntouched) =>
    isUntouched && arrival.kind === "result"
      ? { result: arrival.result, outcome: undefined, arrival, isUntouched, dialect: "plain" as const }
      : process(state, call, arrival, watches),
  );
}

function bytesOf({ content }: JsonObject): number {
  const blocks: readonly JsonValue[] = Array.isArray(content) ? content : [];
  const texts = blocks.map((block) => (isJsonObject(block) ? block["text"] : undefined));
  return texts.reduce<number>((sum, text) => sum + (typeof text === "string" ? byteLength(text) : 0), 0);
}

/** Whether a result was cut, and whether the whole result is kept. */
function cutOf({ notes: { fidelity, warnings = [] } }: Outcome): Pick<CallFacts, "isCut" | "isArchived"> {
  if (fidelity === undefined || fidelity.level === "full") return {};
  if (Object.keys(fidelity.archives).length > 0) return { isCut: true, isArchived: true };
  const isLost = warnings.some(({ code }) => code === "ARCHIVE_WRITE_FAILED");
  return isLost ? { isCut: true, isArchived: false } : { isCut: true };
}

/** A result that is not an answer yet has not failed. */
function factsOf(
  { contract, notes, tool }: ToolCall,
  { outcome, result, dialect: spoken }: AnsweredCall,
  durationMs: number,
): CallFacts {
  const { profile } = contract;
  const dialect = spoken ?? contract.dialect;
  const cut = outcome === undefined ? {} : cutOf(outcome);
  const common = { dialect, profile, cacheHit: notes.cacheHit, bytes: bytesOf(result), durationMs, ...cut };
  const counted = outcome?.notes.telemetry?.["redactions"];
  const redactions = typeof counted === "number" ? { redactions: counted } : {};
  const answersRetrieval = tool.answersRetrieval === true ? { answersRetrieval: true } : {};
  if (outcome === undefined || outcome.ok) return { ok: true, ...redactions, ...answersRetrieval, ...common };
  const { fault } = outcome;
  return { ok: false, errorCode: fault.code, errorType: fault.type, ...redactions, ...common };
}

function answerOpened(state: ContractState, call: ToolCall, openedAt: number): MaybePromise<AnsweredCall> {
  return state.events.observe(
    () => observed(call),
    (watches) => answer(state, call, openedAt, watches),
    (answered, durationMs) => factsOf(call, answered, durationMs),
  );
}

/** One call from its arguments to the MCP result. Rejects only with errors that the client must handle. */
export function answerCall(
  state: ContractState,
  tool: CalledTool,
  args: unknown,
  request: CallRequest,
): MaybePromise<AnsweredCall> {
  const openedAt = performance.now();
  const call = openCall(state, tool, args, request);
  const run = (): MaybePromise<AnsweredCall> => answerOpened(state, call, openedAt);
  return tool.isRemote === true ? run() : runInTrackedScope(call.identity.requestId, run);
}

function observed({ tool, identity, request }: ToolCall) {
  const { requestId, tenant, traceparent, tracestate } = identity;
  return {
    tool: tool.name,
    requestId,
    tenant,
    ...(request.sessionId === undefined ? {} : { session: request.sessionId }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(tracestate === undefined ? {} : { tracestate }),
    ...(request.trace === undefined ? {} : { carried: request.trace }),
  };
}

/** Runs a call of one of the server's own tools. */
export function runCall(
  state: ContractState,
  tool: ToolDefinition,
  args: unknown,
  request: CallRequest,
): MaybePromise<JsonObject> {
  const openedAt = performance.now();
  const call = openCall(state, calledTool(state, tool), args, request);
  return runInCallScope(
    call.identity.requestId,
    () => answerOpened(state, call, openedAt),
    ({ result }) => result,
  );
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
  if (select !== undefined || masksSuccesses || contract.filter !== undefined || contract.encoding !== "json")
    return false;
  return tool.schemas.deprecated === undefined;
}

function fits(state: ContractState, { contract }: ToolCall, result: JsonObject): MaybePromise<boolean> {
  const { maxBlobBytes } = contract.tool;
  return fitsWhole(result, { budget: contract.budget, counter: state.counter, byteLength, maxBlobBytes });
}

/** True if one look shows that the result can be sent as it is. */
function isBestUntouched(state: ContractState, call: ToolCall, arrival: Arrival): MaybePromise<boolean> {
  if (arrival.kind !== "result" || !isSilent(call, arrival) || !isShapeless(state, call)) return false;
  if (mayNeedReading(arrival.result)) return false;
  // A widget reads its tool's data itself, so the data is never cut.
  return call.contract.tool.staysPlain ? true : fits(state, call, arrival.result);
}
