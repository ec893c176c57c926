// Sends the wire form as an MCP result: content, structuredContent, isError, _meta.
// Promises that isError is true exactly on failure, and that in `mirror` and `text` the text says everything, unless
// the budget has no room for it beside the tool author's text. The author's text comes first.
// Never changes the wire form, and never writes `isError: false`.

import { SHORT_PROFILE, contractMark, withoutNotes } from "../../contract/contract-mark.ts";
import { CONTRACT_META_KEY, NOTES_META_KEY } from "../../contract/wire-names.ts";
import { briefText } from "../../contract/brief-text.ts";
import type { Outcome } from "../../contract/outcome.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import {
  type DeliveryMode,
  type Parcel,
  type ToolResult,
  type Wire,
  hasProse,
  partOf,
  stamp,
} from "../parcel.ts";
import type { PipelineContext } from "../pipeline-context.ts";

function textBlock(text: string): JsonObject {
  return { type: "text", text };
}

/** If the wire form cannot say what was left out, a structure alone would pass for the whole. */
function withoutStructure(result: ToolResult): ToolResult {
  const { structuredContent: _structured, ...rest } = result;
  return rest;
}

/** For a result with an author's text, if there is no room for a text that repeats the structure. */
function carryUnmirrored(wire: Wire, texts: readonly string[]): ToolResult {
  const structuredContent =
    wire.level === "result"
      ? (wire.json as unknown as ToolResult).structuredContent
      : (wire.json as JsonObject);
  return {
    content: texts.map(textBlock),
    ...(structuredContent === undefined ? {} : { structuredContent }),
  };
}

function carry(parcel: Parcel, wire: Wire, outcome: Outcome, mode: DeliveryMode): ToolResult {
  const isCut =
    (parcel.cut ?? parcel.lean) !== undefined && (outcome.notes.fidelity?.level ?? "full") !== "full";
  const isUntold = isCut && (wire.level === "result" || wire.aside !== undefined);
  if (wire.unmirrored !== undefined && !isUntold) return carryUnmirrored(wire, wire.unmirrored.texts);
  if (wire.level === "result") {
    const result = wire.json as unknown as ToolResult;
    return isUntold ? withoutStructure(result) : result;
  }
  const structuredContent = mode !== "text" && !isUntold && isJsonObject(wire.json) ? wire.json : undefined;
  // A short text is enough only if the structure travels beside it.
  const isBrief = mode === "brief" && structuredContent !== undefined;
  const { rendering } = parcel;
  const text = rendering?.wire === wire && rendering.structure === undefined ? rendering.texts[0] : undefined;
  const content = [textBlock(isBrief ? briefText(outcome) : (text ?? JSON.stringify(wire.json)))];
  if (wire.aside !== undefined) content.push(textBlock(JSON.stringify(wire.aside)));
  if (outcome.ok) return structuredContent === undefined ? { content } : { content, structuredContent };
  return structuredContent === undefined
    ? { content, isError: true }
    : { content, structuredContent, isError: true };
}

/** Values that change from call to call, even if the profile hides them in the envelope. */
function callNotes({ notes }: Outcome): JsonObject {
  const { requestId, rateLimit, telemetry } = notes;
  const said: Record<string, JsonValue> = {};
  if (requestId !== undefined) said["request_id"] = requestId;
  if (rateLimit !== undefined) said["rate_limit"] = { ...rateLimit };
  if (telemetry !== undefined) said["telemetry"] = telemetry as JsonObject;
  return said;
}

/** Whether a ready-made result is sent as it came: the same object, with nothing added. */
function isUntouched({ arrival }: Parcel, { json, isAsSent }: Wire): boolean {
  return isAsSent === true && arrival.kind === "result" && arrival.result === json;
}

/**
 * What Waybill adds to a result's `_meta`: the contract it was written under, and the notes of the call. Some clients
 * show `_meta` to models, where every word costs, so `minimal` has only the contract, in its short form.
 */
function ownMeta(wire: Wire, outcome: Outcome, { dialect, profile }: PipelineContext): JsonObject {
  const isAsSent = wire.isAsSent === true || wire.isBareText === true;
  const isWrapped = wire.isWrapped === true;
  const mark = contractMark(wire.dialect ?? dialect, profile.name, { isAsSent, isWrapped });
  const notes = { ...(profile.name === SHORT_PROFILE ? {} : callNotes(outcome)), ...wire.noted };
  if (profile.name === SHORT_PROFILE && wire.noted === undefined) return { [CONTRACT_META_KEY]: mark };
  return { [CONTRACT_META_KEY]: mark, [NOTES_META_KEY]: notes };
}

/** The author's text comes before ours, everything else after it. */
function joined(
  words: readonly JsonObject[],
  blocks: readonly JsonObject[],
  isFirst: boolean,
): readonly JsonObject[] {
  if (blocks.length === 0) return words;
  return isFirst ? [...blocks, ...words] : [...words, ...blocks];
}

export function deliver(parcel: Parcel, context: PipelineContext): Parcel {
  const outcome = partOf(parcel, "outcome");
  const wire = partOf(parcel, "wire");
  if (isUntouched(parcel, wire))
    return stamp(parcel, "deliver", "as it came", { result: wire.json as unknown as ToolResult });
  const carried = carry(parcel, wire, outcome, context.delivery);
  // A result as its server sent it already has its blocks, in their places.
  const blocks = wire.isAsSent === true ? [] : (parcel.blocks ?? []);
  const drafted = outcome.ok ? undefined : context.failureMeta?.(outcome);
  const own = ownMeta(wire, outcome, context);
  const { resultMeta } = parcel;
  const isOwn = drafted === undefined && resultMeta === undefined;
  // The result of another server must not be modified.
  const result: { -readonly [Key in keyof ToolResult]: ToolResult[Key] } =
    wire.level === "result" ? { ...carried } : carried;
  result.content = joined(carried.content, blocks, hasProse(parcel));
  // What the server said of its failure is passed on unchanged.
  result._meta = isOwn ? own : { ...drafted, ...(resultMeta && withoutNotes(resultMeta)), ...own };
  const { delivery: mode } = context;
  return stamp(parcel, "deliver", `mode ${mode}`, { result }, { mode });
}
