// What the stages may know and do for one call. Everything that is the same for all calls is made once.

import { listedOutput, assertAdvertised } from "./advertise-tool.ts";
import { askingOf } from "./question-workers.ts";
import { rigid } from "../../core/schema/payload.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import { wrapData } from "../../core/contract/envelope.ts";
import type { Failure } from "../../core/contract/outcome.ts";
import { newRequestId } from "../../core/contract/request-id.ts";
import { TOOL_FAILURE_META_KEY, writeToolFailure } from "../../core/contract/tool-failure.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { textPlaceOf } from "../../core/pipeline/dialect/auto.ts";
import { renderParcel, traitsOf } from "../../core/pipeline/dialect/dialects.ts";
import { byteLength, bytesOfBase64 } from "../runtime/byte-length.ts";
import { validateResponse } from "../../core/pipeline/dialect/validate-response.ts";
import type { Arrival, DeliveryMode, Parcel, ToolResult } from "../../core/pipeline/parcel.ts";
import {
  type DataEncoding,
  type CutExample,
  type FitContext,
  type PipelineContext,
  type DigestLimits,
  type PageText,
  type TextDigest,
  type AuthorFormat,
  tableFormOf,
} from "../../core/pipeline/pipeline-context.ts";
import { type ToolCall, isPromiseLike } from "./called-tool.ts";
import { leanContextOf } from "./lean-context.ts";
import { bytesBehind, measureParcels, roomFor } from "./call-reader.ts";
import { hasSchema, readingOf } from "./tool-schemas.ts";
import { namesFile, wordsFor } from "./call-words.ts";
import type { ContractState } from "./contract-state.ts";
import type { DigestPayload } from "../../core/contract/digest-payload.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { DigestResult } from "../digest/digest-result.ts";
import type { Log } from "../observe/log-event.ts";
import { decodeTables } from "../../core/json/table/decode-tables.ts";

/** What this call offers besides its answer; undefined if the profile or the dialect does not show it. */
function capabilitiesOf(
  { archive }: ContractState,
  { contract, identity }: ToolCall,
): readonly string[] | undefined {
  if (contract.profileObject.show.capabilities !== "always") return undefined;
  if (traitsOf(contract.dialect).fixesCapabilities === true) return undefined;
  return [
    ...(archive.keeps(contract.tool) ? ["retrieve"] : []),
    ...(identity.isAnonymous ? [] : ["idempotency-key"]),
    ...(contract.tool.takesWaybill ? ["waybill-argument"] : []),
    ...(contract.tool.dialects.length > 1 ? ["dialect-choice"] : []),
  ];
}

/** The draft's key for a failure. Its id must be the server's own, so a client's id is replaced; the log has both. */
function draftMeta(
  { log, options }: ContractState,
  { identity }: ToolCall,
): (failure: Failure) => JsonObject {
  return (failure) => {
    const { requestId, requestIdFrom } = identity;
    const correlationId = requestIdFrom === "client" ? newRequestId() : requestId;
    if (correlationId !== requestId)
      log.info("tool-failure-sent", { request_id: requestId, correlation_id: correlationId });
    const nowMs = options.now?.() ?? Date.now();
    return { [TOOL_FAILURE_META_KEY]: writeToolFailure(failure, { correlationId, nowMs }) };
  };
}

/** `auto` adds no structured content to the results of a tool that lists no output schema. */
function deliveryOf({ tool, contract }: ToolCall): DeliveryMode {
  const isOurChoice = traitsOf(contract.dialect).choosesByResult === true;
  // A text that the author writes needs the structured content beside it.
  const isBare = isOurChoice && !hasSchema(tool) && tool.config.format === undefined;
  return isBare ? "text" : contract.tool.delivery;
}

/** Written out in full, so that the context of every call has the same shape and no object is copied. */
export function contextOf(state: ContractState, call: ToolCall, arrival?: Arrival): PipelineContext {
  const { tool, contract, identity, tier } = call;
  const { version, draftNotes } = contract.tool;
  const { mapError, redact, log } = state.forStages;
  const { tokens, bytes, characters } = contract.budget;
  const hasBudget = tokens !== "off" || bytes !== "off" || characters !== undefined;
  const isFitted = hasBudget && tool.answersRetrieval !== true;
  const { isTyped, reader } = readingOf(call);
  const context: { -readonly [Key in keyof PipelineContext]: PipelineContext[Key] } = {
    tool: { id: tool.name, version },
    dialect: contract.dialect,
    staysPlain: contract.tool.staysPlain,
    profile: contract.profileObject,
    delivery: deliveryOf(call),
    sendsAuthored: traitsOf(contract.dialect).sendsAuthored,
    draftNotes,
    requestId: identity.requestId,
    requestIdFrom: identity.requestIdFrom,
    tier,
    filter: contract.filter,
    asking: call.select === undefined ? undefined : askingOf(state, call, hasSchema(tool)),
    isTyped,
    format: tool.config.format === undefined ? undefined : formatOf(state, call),
    encoding: contract.encoding,
    lean: undefined,
    deprecated: tool.schemas.deprecated,
    capabilities: capabilitiesOf(state, call),
    fit: undefined,
    keep:
      isFitted && state.archive.keeps(contract.tool)
        ? (part) => state.archive.keepFor(identity.tenant, contract.tool)(part)
        : undefined,
    lift: traitsOf(contract.dialect).lift,
    failureStarts: contract.tool.failureStarts,
    reader,
    mapError,
    redact,
    redactsSuccesses: state.masksSuccesses && tool.answersRetrieval !== true,
    answersRetrieval: tool.answersRetrieval === true,
    failureMeta:
      state.options.standards?.includes("toolFailure") === true ? draftMeta(state, call) : undefined,
    log,
  };
  if (contract.lean)
    context.lean = leanContextOf(state, call, { ...formOf(call, context), canTell: canTellOf(call) });
  if (isFitted) context.fit = fitContextOf(state, call, context, arrival);
  return context;
}

/**
 * Checks an outgoing result, if the options ask for it: against the contract, and against the schema that
 * clients were shown. For an upstream server's tool, only what the contract adds is checked.
 */
export function assertValid(
  state: ContractState,
  result: ToolResult,
  { tool, contract }: ToolCall,
  dialect: DialectId | undefined,
): void {
  if (contract.tool.validate !== "always") return;
  const { valid, violations } = validateResponse(result, { ...(dialect && { dialect }), level: "result" });
  if (valid) {
    if (tool.listedSchema === undefined)
      assertAdvertised(result, listedOutput(tool, contract.tool, state.masksSuccesses));
    return;
  }
  const list = violations as unknown as readonly JsonObject[];
  throw new ContractError("INVALID_ENVELOPE", "A result broke the contract: see the violations.", {
    violations: list,
  });
}

function wordsIn({ result, wire, outcome }: Parcel): string {
  if (result !== undefined)
    return result.content
      .flatMap((block) => (isJsonObject(block) && typeof block["text"] === "string" ? [block["text"]] : []))
      .join("\n");
  if (wire !== undefined) return JSON.stringify(wire.json);
  if (outcome === undefined) return "";
  return JSON.stringify(outcome.ok ? outcome.data : outcome.fault);
}

/** The tokens of a stage's output, for listeners that ask. */
export async function tokensOf({ counter }: ContractState, parcel: Parcel): Promise<number> {
  return (await counter()).count(wordsIn(parcel));
}

const asItIs = (data: JsonValue): JsonValue => data;
const wrapUnlessText = (data: JsonValue): JsonValue => (typeof data === "string" ? data : wrapData(data));

/** Loaded at the first cut: most results fit. */
async function exampleOf(
  state: ContractState,
  data: JsonValue,
  encoding: DataEncoding | undefined,
  args: unknown,
): Promise<CutExample | undefined> {
  const { exampleFor } = await import("./example-for.ts");
  return exampleFor(state, data, encoding, wordsFor("auto", args) ?? "");
}

/** How data that is not an object is sent: bare under `auto` without a structure, else as the dialect writes it. */
function formOf(
  { contract }: ToolCall,
  { delivery }: Pick<PipelineContext, "delivery">,
): { readonly isBareText: boolean; readonly wrap: (data: JsonValue) => JsonValue } {
  const { choosesByResult, wrapsData } = traitsOf(contract.dialect);
  const isBareText = choosesByResult === true && delivery === "text";
  return { isBareText, wrap: wrapsData === true ? (isBareText ? wrapUnlessText : wrapData) : asItIs };
}

/** Whether the result can say that something of it is missing. */
function canTellOf({ tool, contract }: ToolCall): boolean {
  const { mayCutBare, staysPlain } = contract.tool;
  const isTyped =
    tool.listedSchema === undefined ? tool.config.outputSchema !== undefined : tool.listedSchema !== null;
  return !staysPlain && (traitsOf(contract.dialect).carriesOmissions === true || mayCutBare(isTyped));
}

/** What `fit` needs for a call that has a budget. */
function fitContextOf(
  state: ContractState,
  call: ToolCall,
  context: PipelineContext,
  arrival: Arrival | undefined,
): FitContext {
  const { tool, contract, args, identity } = call;
  const dialect = traitsOf(contract.dialect);
  const { strategy, maxBlobBytes } = contract.tool;
  const showTo = measureParcels(call, context);
  const keeps = state.archive.keeps(contract.tool);
  return {
    budget: roomFor(call, showTo !== undefined),
    counter: state.counter,
    byteLength,
    decodeBase64: bytesOfBase64,
    render: (parcel) => renderParcel(parcel, context),
    showTo,
    wrap: formOf(call, context).wrap,
    textPlace: (parcel) => textPlaceOf(parcel, context),
    canCut: canTellOf(call),
    // Bytes that are written as text must be kept, however few they are.
    maxBlobBytes: dialect.writeBlock !== undefined && keeps ? 0 : maxBlobBytes,
    // Most results have no pictures, and a result that fits needs no words.
    get bytes() {
      return bytesBehind(call, arrival);
    },
    get scalePicture() {
      return state.scalerFor();
    },
    strategy,
    get query() {
      return wordsFor(strategy, args);
    },
    digest: strategy === "digest" ? textDigester(wordsFor(strategy, args) ?? "", state.log) : undefined,
    readPage: strategy === "head" || namesFile(args) ? undefined : pageReader(state.log),
    elasticity: () => (tool.isUnlisted === true ? rigid : tool.schemas.elasticity),
    idPath: tool.config.idPath,
    retrieveTool: keeps ? (tool.retrieveName ?? state.retrieveName) : undefined,
    namesFullHash: identity.isAnonymous,
    exampleFor: keeps ? (data) => exampleOf(state, data, context.encoding, args) : undefined,
  };
}

/** Reads what a web page says; undefined where no reader is installed, which doctor and the start log tell. */
export function pageReader(log: Log): NonNullable<FitContext["readPage"]> {
  return async (html): Promise<PageText | undefined> => {
    try {
      const { readPageText } = await import("../digest/sources/html/read-page-text.ts");
      return await readPageText(html);
    } catch (err) {
      if (!ToolFault.isInstance(err)) log.warn("page-not-read", { err });
      return undefined;
    }
  };
}

function isUnanswered({ payload, warnings }: DigestResult): boolean {
  return payload?.evidence_snippets.length === 0 || warnings.some(({ code }) => code === "QUERY_NOT_FOUND");
}

/** If every quote is only punctuation, the text is not prose, and a digest would say nothing. */
function hasWords({ summary, evidence_snippets }: DigestPayload): boolean {
  return [summary, ...evidence_snippets.map(({ text }) => text)].some((text) => /[\p{L}\p{N}]/u.test(text));
}

/**
 * Digests a long result, guided by the words of its call if the text contains any of them. If no digest can
 * be made, the result is sent without one.
 */
export function textDigester(words: string, log: Log): NonNullable<FitContext["digest"]> {
  let query = words.trim() === "" ? undefined : words;

  async function digest(text: string, limits: DigestLimits): Promise<DigestResult> {
    // Loaded when the first result is digested: most servers never digest one.
    const { digestDocument } = await import("../digest/digest-document.ts");
    const make = (asked: string | undefined): Promise<DigestResult> =>
      digestDocument(text, { ...limits, policy: "always", query: asked });
    const found = await make(query);
    if (query === undefined || !isUnanswered(found)) return found;
    // The words of a call are often names and paths. The caller did not ask them as a question, so the digest
    // must not report that they have no answer.
    query = undefined;
    return make(query);
  }

  return async (text, limits): Promise<TextDigest | undefined> => {
    try {
      const { payload, document } = await digest(text, limits);
      return payload === undefined || !hasWords(payload) ? undefined : { payload, text: document.text };
    } catch (error) {
      // What a fault was caused by is for the author, such as a reader that is not installed.
      const err = ToolFault.isInstance(error) ? error.cause : error;
      if (err !== undefined) log.warn("digest-failed", { err });
      return undefined;
    }
  };
}

// The text that a tool's author writes for models, made from the data that is sent.

function textOf(given: unknown): string {
  if (typeof given === "string" && given.trim() !== "") return given;
  if (isPromiseLike(given)) {
    given.then(undefined, () => undefined);
    throw new TypeError("format gave a promise: it has to give a text at once.");
  }
  throw new TypeError(given === "" ? "format gave an empty text." : "format gave no text.");
}

/** How a tool's `format` is used in one call. If the function fails, the call still has its answer. */
function formatOf(state: ContractState, call: ToolCall): AuthorFormat {
  const { tool, identity, contract } = call;
  const { requestId } = identity;
  return {
    write: (data) => {
      try {
        // A copy: if the formatter sorts a list for the text, the structured content must keep its order.
        const hasTables = tableFormOf(contract.encoding) !== undefined;
        const own = structuredClone(hasTables ? decodeTables(data) : data);
        const text = textOf(tool.config.format?.(own));
        state.events.formatted(call, text, data);
        return state.masksSuccesses ? state.mask(text) : text;
      } catch (error) {
        state.events.trouble({ event: "format-failed", level: "error", requestId, tool: tool.name, error });
        return undefined;
      }
    },
    onTooLong: () => {
      if (!state.isNews(`too long ${tool.name}`)) return;
      const { tokens, bytes } = contract.budget;
      const fields = { budget: { tokens, bytes } };
      state.events.trouble({ event: "format-too-long", level: "warn", requestId, tool: tool.name, fields });
    },
  };
}
