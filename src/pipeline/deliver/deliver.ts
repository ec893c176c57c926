// Hands the words over as an MCP result: content, structuredContent, isError, _meta.
// Promises that isError is true exactly on failure, and that in `mirror` and `text` the text says everything.
// Never changes the words, and never writes `isError: false`.

import type { Outcome } from "../../contract/outcome.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import {
  type DeliveryMode,
  type Parcel,
  type PipelineContext,
  type ToolResult,
  type Wire,
  partOf,
  stamp,
} from "../parcel.ts";
import { briefText } from "./brief-text.ts";

function textBlock(text: string): JsonObject {
  return { type: "text", text };
}

/** Where the words have no place for what was left out, a structure alone would pass for the whole. */
function withoutStructure(result: ToolResult): ToolResult {
  const { structuredContent: _structured, ...rest } = result;
  return rest;
}

function carry(parcel: Parcel, wire: Wire, outcome: Outcome, mode: DeliveryMode): ToolResult {
  const isUntold = parcel.cut !== undefined && (wire.level === "result" || wire.aside !== undefined);
  if (wire.level === "result") {
    const result = wire.json as unknown as ToolResult;
    return isUntold ? withoutStructure(result) : result;
  }
  const hasStructure = mode !== "text" && !isUntold && isJsonObject(wire.json);
  const structured = hasStructure ? { structuredContent: wire.json } : {};
  // A short text is enough only where the structure travels beside it.
  const isBrief = mode === "brief" && "structuredContent" in structured;
  const text = parcel.rendering?.wire === wire ? parcel.rendering.texts[0] : undefined;
  const aside = wire.aside === undefined ? [] : [textBlock(JSON.stringify(wire.aside))];
  return {
    content: [textBlock(isBrief ? briefText(outcome) : (text ?? JSON.stringify(wire.json))), ...aside],
    ...structured,
    ...(outcome.ok ? {} : { isError: true }),
  };
}

/** What changes from call to call rides here too, whatever the profile shows in the envelope. */
function callNotes({ notes }: Outcome): JsonObject {
  const { requestId, rateLimit, telemetry } = notes;
  return {
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(rateLimit === undefined ? {} : { rate_limit: { ...rateLimit } }),
    ...(telemetry === undefined ? {} : { telemetry: telemetry as JsonObject }),
  };
}

export function deliver(parcel: Parcel, context: PipelineContext): Parcel {
  const outcome = partOf(parcel, "outcome");
  const carried = carry(parcel, partOf(parcel, "wire"), outcome, context.delivery);
  const contract = { dialect: context.dialect, profile: context.profile.name };
  const meta = { "waybill/contract": contract, "waybill/notes": callNotes(outcome) };
  const result: ToolResult = {
    ...carried,
    content: [...carried.content, ...(parcel.blocks ?? [])],
    _meta: { ...parcel.resultMeta, ...meta },
  };
  return stamp(parcel, "deliver", `mode ${context.delivery}`, { result });
}
