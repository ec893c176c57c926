import { isMarkedWrapped } from "../../contract/contract-mark.ts";
// Says what happened: a handler's value or ready-made result becomes a success, anything thrown a fault.
// Promises one model for every arrival, with a request id, and a code on every failure.
// Never lets the text, stack or path of an unforeseen error reach the model; they go to the log.

import { ContractError, type ContractErrorCode } from "../../contract/contract-error.ts";
import { readEnvelope } from "../../contract/read-envelope.ts";
import { faults } from "../../contract/faults.ts";
import {
  type Authored,
  type Failure,
  type Fidelity,
  type Notes,
  type Outcome,
  USUAL_PROVENANCE,
  authoredIn,
} from "../../contract/outcome.ts";
import { roundedNumbers } from "../../contract/rounded-numbers.ts";
import { ToolFault } from "../../contract/tool-fault.ts";
import { type WarningDetail, isOurWarning, orderWarnings } from "../../contract/warning.ts";
import { writeJson } from "../../json/find-non-json.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { type Arrival, type Parcel, type ResultSource, stamp } from "../parcel.ts";
import type { PipelineContext } from "../pipeline-context.ts";
import type { Reading } from "./foreign-failure.ts";
import { withWarning } from "./result-json.ts";
import { fromResult, reportedFailure } from "./from-result.ts";
import { knownError } from "./known-error.ts";
import { isBatchNote } from "./nested-failure.ts";

/** A caller must know that the tool has done its work, and that calling again would give the same answer. */
export const spoiltAnswer = {
  details: { executed: "yes" },
  remediation:
    "Do not repeat the call: the tool ran, but its answer cannot be sent. Report it with the request id.",
} as const;

/** Nothing that a caller sends, and no wait, mends the code of a server. Part of its work may be done. */
const mistakenCode = {
  details: { executed: "unknown", retryable: false },
  remediation:
    "Do not repeat the call: the server has a mistake in its code. Check whether the call took effect, and report it with the request id.",
} as const;

/** What is read from others has these codes: their mistakes are not the server's. */
const ofOthers: readonly ContractErrorCode[] = ["UNREADABLE", "INVALID_PAYLOAD"];

/** Whether the code that ran is wrong whatever it is asked: it broke the contract's own rules, or names what is not there. */
function isMistake(error: unknown): boolean {
  if (ContractError.isInstance(error)) return !ofOthers.includes(error.code);
  return error instanceof ReferenceError;
}

function internal(error: unknown, context: PipelineContext, hasRun = false): Failure {
  tell(error, context);
  const advice = hasRun ? spoiltAnswer : isMistake(error) ? mistakenCode : {};
  const { fault } = faults.internal(undefined, advice).toOutcome();
  return { ok: false, fault, notes: {} };
}

/** An error's own text goes only to the log. */
function tell(error: unknown, context: PipelineContext): void {
  context.log?.({ requestId: context.requestId, tool: context.tool.id, error });
}

/** An error that any program may throw, with its code and a fixed text. */
function known(error: unknown, context: PipelineContext): Failure | undefined {
  const failure = knownError(error);
  if (failure !== undefined) tell(error, context);
  return failure;
}

function fromThrown(error: unknown, context: PipelineContext, hasRun = false): Failure {
  if (ToolFault.isInstance(error)) return error.toOutcome();
  // A failure after the tool has run is a mistake in its answer, whatever the error says.
  const said = context.mapError?.(error) ?? (hasRun ? undefined : known(error, context));
  return said ?? internal(error, context, hasRun);
}

/** The notes of a value that says nothing beside its data. */
const noNotes: Notes = Object.freeze({});

function fromValue(value: unknown, context: PipelineContext): Outcome {
  if (value === undefined || value === null) return { ok: true, data: {}, notes: noNotes };
  const { value: data, problem, hasUnsafeInteger } = writeJson(value);
  if (problem !== undefined) return internal(new TypeError(problem.message), context, true);
  if (data === undefined || data === null) return { ok: true, data: {}, notes: noNotes };
  const json = data as JsonValue;
  const outcome = readEnvelope(json) ?? reportedFailure(json) ?? { ok: true, data: json, notes: noNotes };
  const isTold = hasUnsafeInteger && context.answersRetrieval !== true;
  const rounded = isTold ? roundedNumbers(outcome.ok ? outcome.data : json) : undefined;
  return rounded === undefined ? outcome : withWarning(outcome, rounded);
}

function outcomeOf(arrival: Arrival, context: PipelineContext): Partial<Parcel> & { outcome: Outcome } {
  if (arrival.kind === "thrown") return { outcome: fromThrown(arrival.error, context, arrival.hasRun) };
  if (arrival.kind === "value") return { outcome: fromValue(arrival.value, context) };
  const { reader, filter, isTyped, redactsSuccesses, asking, failureStarts } = context;
  const { isDocument } = arrival;
  const needsValue = filter !== undefined;
  const isLookedInto = needsValue || redactsSuccesses === true || asking !== undefined;
  const found = fromResult(arrival.result, {
    reader,
    isDocument,
    isTyped,
    failureStarts,
    needsValue,
    isLookedInto,
  });
  const { outcome: read, blocks, meta, ownNotes = {}, isEnvelope, isTexts, written, reading } = found;
  const outcome = explained(read, reading, context);
  const source: ResultSource = {
    data: outcome.ok ? outcome.data : undefined,
    blocks,
    meta,
    notes: ownNotes,
    isEnvelope,
    isWrapped: outcome.ok && isMarkedWrapped(outcome.data, meta),
    isTexts,
    written,
    exactText: found.exactText,
    textAt: found.textAt,
  };
  return { outcome, blocks, resultMeta: meta, source };
}

/** Shows a person who investigates another server's failure which rule gave it its code, and from which text. */
function explained(outcome: Outcome, reading: Reading | undefined, { profile }: PipelineContext): Outcome {
  if (outcome.ok || reading === undefined || profile.show.provenance !== "always") return outcome;
  const details = { ...outcome.fault.details, upstream: { ...reading } };
  return { ...outcome, fault: { ...outcome.fault, details } };
}

/** The outcome's own fidelity, with archives that were noted during the call and that it does not name itself. */
function mergeFidelity(noted: Fidelity | undefined, own: Fidelity | undefined): Fidelity | undefined {
  if (noted === undefined || own === undefined) return own ?? noted;
  const named = new Set(Object.values(own.archives));
  const others = Object.entries(noted.archives).filter(([, hash]) => !named.has(hash));
  return { ...own, archives: { ...own.archives, ...Object.fromEntries(others) } };
}

const none: readonly WarningDetail[] = [];

function mergeWarnings(
  noted: readonly WarningDetail[] = none,
  own: readonly WarningDetail[] = none,
): readonly WarningDetail[] | undefined {
  if (noted.length === 0 && own.length === 0) return undefined;
  return orderWarnings([...noted, ...own]);
}

/**
 * Warnings that only Waybill raises are not the tool's: they were added while the outcome was read, or by a contract
 * behind this one.
 */
function authoredOf(own: Notes, noted: Authored | undefined): Authored | undefined {
  if (own === noNotes) return noted;
  const warnings = own.warnings?.filter((each) => !isOurWarning(each.code) && !isBatchNote(each));
  const said = authoredIn({ ...own, warnings }) ?? own.authored;
  if (said === undefined) return noted;
  return {
    ...own.authored,
    telemetry: [...(noted?.telemetry ?? []), ...(said.telemetry ?? [])],
    rateLimit: noted?.rateLimit === true || said.rateLimit === true,
    warnings: [...(noted?.warnings ?? []), ...(said.warnings ?? [])],
  };
}

/** For each note, the outcome's own value wins, then what was noted during the call, then what the call is known by. */
function mergeNotes(bare: Outcome, { kind, notes: noted = {} }: Arrival, context: PipelineContext): Notes {
  const { tool, tier } = context;
  const own = bare.notes;
  const provenance = kind === "result" ? "upstream" : USUAL_PROVENANCE;
  return {
    requestId: own.requestId ?? noted.requestId ?? context.requestId,
    toolId: own.toolId ?? noted.toolId ?? tool.id,
    toolVersion: own.toolVersion ?? noted.toolVersion ?? tool.version,
    tier: own.tier ?? noted.tier ?? tier,
    capabilities: own.capabilities ?? noted.capabilities ?? context.capabilities,
    provenance: own.provenance ?? noted.provenance ?? (bare.ok ? undefined : provenance),
    warnings: mergeWarnings(noted.warnings, own.warnings),
    pagination: own.pagination ?? noted.pagination,
    rateLimit: own.rateLimit ?? noted.rateLimit,
    telemetry:
      own.telemetry === undefined
        ? noted.telemetry
        : { ...own.telemetry, ...noted.telemetry, ...own.telemetry },
    fidelity: mergeFidelity(noted.fidelity, own.fidelity),
    upgradeHints: own.upgradeHints ?? noted.upgradeHints,
    extra: own.extra ?? noted.extra,
    authored: context.sendsAuthored === true ? authoredOf(own, noted.authored) : undefined,
  };
}

export function classify(parcel: Parcel, context: PipelineContext): Parcel {
  const found = outcomeOf(parcel.arrival, context);
  const bare = context.lift === undefined ? found.outcome : context.lift(found.outcome);
  const notes = mergeNotes(bare, parcel.arrival, context);
  const outcome: Outcome = bare.ok
    ? { ok: true, data: bare.data, notes }
    : { ok: false, fault: bare.fault, notes };
  const says = outcome.ok ? "success" : `failure ${outcome.fault.code}`;
  return stamp(
    parcel,
    "outcome",
    says,
    parcel.arrival.kind === "result" ? { ...found, outcome } : { outcome },
  );
}
