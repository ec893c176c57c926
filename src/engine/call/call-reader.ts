// The reader behind a call: a result is made whole for it, and measured as this client shows it.

import { deliver } from "../../core/pipeline/deliver/deliver.ts";
import {
  DEAREST_CODE,
  FENCE_COST,
  behindFence,
  fence,
  fenceCode,
} from "../../core/pipeline/deliver/fence.ts";
import { forReader } from "../../core/pipeline/deliver/for-reader.ts";
import { shareFor } from "../../core/pipeline/deliver/reader-view.ts";
import { sayPlainly, traitsOf } from "../../core/pipeline/dialect/dialects.ts";
import { type Arrival, type Parcel, type ReaderShare, partOf } from "../../core/pipeline/parcel.ts";
import type { Budget, FitContext, Limit, PipelineContext } from "../../core/pipeline/pipeline-context.ts";
import { type JsonObject, mapObject } from "../../core/json/json-value.ts";
import { type ReaderBytes, bytesFor } from "../../core/readers/bytes-for.ts";
import { blocksOf } from "../../core/readers/facts-held.ts";
import { type Reader, lineLimitOf, shownOf } from "../../core/readers/reader.ts";
import { programReader, unknownReader } from "../../core/readers/readers.ts";
import { byteLength } from "../runtime/byte-length.ts";
import { sha256Hex } from "../runtime/sha256-hex.ts";
import type { ToolCall } from "./called-tool.ts";
import { hasSchema } from "./tool-schemas.ts";

/** Undefined for a program, which reads results itself. A row may have been copied between threads. */
function readerBehind({ contract: { reader, tool } }: ToolCall): Reader | undefined {
  if (reader === undefined || reader.id === programReader.id) return undefined;
  return tool.untrusted ? behindFence(reader) : reader;
}

/** How it is known what reads the results of a call. */
export type ReaderChosenBy =
  | "setting"
  /** The client's own name. */
  | "name"
  /** The model that the client names with its calls. */
  | "model"
  /** The request asked for a form of its own, as programs do. */
  | "request"
  /** Neither a setting nor a name says it. */
  | "nothing"
  /** Rows of clients are switched off. */
  | "off";

export function readerChoice({ contract: { reader, tool } }: ToolCall): {
  readonly reader: Reader;
  readonly chosenBy: ReaderChosenBy;
} {
  if (reader === undefined)
    return tool.clientLimits === true
      ? { reader: programReader, chosenBy: "request" }
      : { reader: unknownReader, chosenBy: "off" };
  if (tool.reader !== "auto") return { reader, chosenBy: "setting" };
  if (reader.id === unknownReader.id) return { reader, chosenBy: "nothing" };
  // Without a pattern for names, only the model that is named with the call leads to the row.
  return { reader, chosenBy: reader.match === undefined ? "model" : "name" };
}

/**
 * A result as the model behind this client needs it; most are whole as they are. Where a dialect was set, the dialect
 * decides the form, and a widget reads the structure of its tool's results itself.
 */
export function wholeFor(call: ToolCall, result: JsonObject, own?: Parcel): JsonObject {
  const reader = readerBehind(call);
  const { dialect, tool } = call.contract;
  if (reader === undefined || tool.staysPlain || traitsOf(dialect).choosesByResult !== true) return result;
  // What was written here keeps to the schema that clients were given; what its server wrote may not.
  const isOurs = own !== undefined && own.wire?.isAsSent !== true;
  const fits = (structure: JsonObject): boolean => isOurs || call.tool.schemas.fits(structure);
  const inWords = own?.wire?.unmirrored?.isSame === true ? own.wire.unmirrored.texts.length : 0;
  return forReader(result, reader, { isTyped: hasSchema(call.tool), fits, inWords });
}

/**
 * A server may write a result with spaces and escapes that make its own message longer than a reader takes, where the
 * same result in our writing is not: that is sent in its place.
 */
export function writtenFor(
  { contract: { reader } }: ToolCall,
  arrival: Arrival,
  result: JsonObject,
): JsonObject {
  const limit = reader === undefined ? undefined : lineLimitOf(reader);
  if (limit === undefined || arrival.kind !== "result") return result;
  const { messageBytes = 0 } = arrival;
  // A copy by its keys no longer carries the message in which it came.
  return messageBytes > limit.most - (limit.taken ?? 0) ? mapObject(result, (value) => value) : result;
}

/** Whether the result of a call stands between two lines that say that it is data. A program needs no such words. */
function isFenced(call: ToolCall): boolean {
  return call.contract.tool.untrusted && readerChoice(call).reader.id !== programReader.id;
}

/** The result of a server that is not trusted, as the last that is done with it. */
export function fencedFor(call: ToolCall, result: JsonObject): JsonObject {
  if (!isFenced(call)) return result;
  const { content = null, structuredContent = null } = result;
  const text = JSON.stringify([content, structuredContent]);
  return fencedWith(call, result, fenceCode(text, sha256Hex(text)));
}

function fencedWith(call: ToolCall, result: JsonObject, code: string): JsonObject {
  const { tool, contract } = call;
  const isChanged = traitsOf(contract.dialect).choosesByResult === true;
  return fence(result, code, {
    reader: readerBehind(call),
    isTyped: hasSchema(tool),
    fits: (structure) => tool.schemas.fits(structure),
    takes: (structure) => tool.schemas.takesKeys && tool.schemas.fits(structure),
    structures: contract.tool.staysPlain ? "keep" : isChanged ? "change" : "note",
  });
}

/** The budget of a call without what stands around its result, unless that is measured with the result. */
export function roomFor(call: ToolCall, isMeasured: boolean): Budget {
  const { budget } = call.contract;
  if (isMeasured || !isFenced(call)) return budget;
  const without = (limit: Limit, cost: number): Limit => (limit === "off" ? limit : limit - cost);
  const { tokens, bytes } = FENCE_COST;
  return { ...budget, tokens: without(budget.tokens, tokens), bytes: without(budget.bytes, bytes) };
}

/** What the client does with the bytes of what arrived. */
export function bytesBehind(call: ToolCall, arrival: Arrival | undefined): ReaderBytes | undefined {
  return bytesFor(call.contract.reader, !isStructureAlone(call, arrival));
}

/**
 * Without an output schema the structure is left out beside a picture; a failure needs none either. What is only
 * reported of a client is not enough to take a picture away from it.
 */
function isStructureAlone(call: ToolCall, arrival: Arrival | undefined): boolean {
  const reader = readerBehind(call);
  if (reader === undefined || reader.known.by === "report" || !hasSchema(call.tool)) return false;
  if (arrival === undefined || arrival.kind === "thrown") return false;
  const { structuredContent, isError, ...result }: JsonObject =
    arrival.kind === "value" ? { structuredContent: {} } : arrival.result;
  if (structuredContent === undefined || isError === true) return false;
  return shownOf(reader.success, blocksOf(result) ?? [], true) === "structure";
}

/** Measures results for the reader behind a call; undefined if it is not known which it is. */
export function measureFor(call: ToolCall): ((result: JsonObject) => ReaderShare) | undefined {
  const reader = readerBehind(call);
  const measuring = { isTyped: hasSchema(call.tool), byteLength };
  return reader === undefined ? undefined : (result) => shareFor(result, reader, measuring);
}

/** The same for a parcel that is still in the pipeline. */
export function measureParcels(call: ToolCall, context: PipelineContext): FitContext["showTo"] {
  const measure = measureFor(call);
  if (measure === undefined) return undefined;
  // What this adds is different for every call.
  const steady = { ...context, failureMeta: undefined };
  return (parcel) => {
    const sent = deliver(sayPlainly(parcel, steady), steady);
    const whole = wholeFor(call, partOf(sent, "result") as unknown as JsonObject, sent);
    return measure(isFenced(call) ? fencedWith(call, whole, DEAREST_CODE) : whole);
  };
}
