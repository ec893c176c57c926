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

function carry(wire: Wire, outcome: Outcome, mode: DeliveryMode): ToolResult {
  if (wire.level === "result") return wire.json as unknown as ToolResult;
  const text = mode === "brief" ? briefText(outcome) : JSON.stringify(wire.json);
  const aside = wire.aside === undefined ? [] : [textBlock(JSON.stringify(wire.aside))];
  return {
    content: [textBlock(text), ...aside],
    ...(mode !== "text" && isJsonObject(wire.json) ? { structuredContent: wire.json } : {}),
    ...(outcome.ok ? {} : { isError: true }),
  };
}

export function deliver(parcel: Parcel, context: PipelineContext): Parcel {
  const carried = carry(partOf(parcel, "wire"), partOf(parcel, "outcome"), context.delivery);
  const contract = { dialect: context.dialect, profile: context.profile.name };
  const result: ToolResult = { ...carried, _meta: { ...carried._meta, "waybill/contract": contract } };
  return stamp(parcel, "deliver", `mode ${context.delivery}`, { result });
}
