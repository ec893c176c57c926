// The choice `auto` is no dialect: it takes one for each result. A success that is whole is plain MCP, in the very
// words of the server where it came ready-made; a failure, or a cut of anything but bare text, is response-v2.
// Promises that a result which nothing was taken from, and of which nothing is to be said, stays the same object.

import type { Notes, Success } from "../../contract/outcome.ts";
import { shownNotes } from "../../contract/profile.ts";
import { writeMeta } from "../../contract/write-meta.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import { dropSpaces } from "../../json/drop-spaces.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { type Parcel, type PipelineContext, type Wire, partOf, placedData } from "../parcel.ts";

function textBlock(text: string): JsonObject {
  return { type: "text", text };
}

/** The ready-made result, if every stage so far left its data, its blocks and its `_meta` alone. */
function sentResult(parcel: Parcel, data: JsonValue): JsonObject | undefined {
  const { arrival, source, blocks = [], resultMeta, isDense } = parcel;
  if (arrival.kind !== "result" || source === undefined || source.data !== data || isDense === true)
    return undefined;
  const isSame =
    source.blocks.length === blocks.length && source.blocks.every((block, at) => block === blocks[at]);
  return isSame && source.meta === resultMeta ? arrival.result : undefined;
}

/**
 * What the profile shows of notes, without the version, which plain MCP has no word for, and without the request id:
 * it alone would be added to every result.
 */
function metaOf(notes: Notes, outcome: Success, { profile, requestIdFrom }: PipelineContext): JsonObject {
  const presence = { [profile.name]: { requestId: "never" } } as const;
  // Plain MCP has no place for metadata, so what the tool said there is left to the profile.
  const plain = notes.authored === undefined ? notes : { ...notes, authored: undefined };
  const shown = shownNotes({ presence }, { ...outcome, notes: plain }, { profile, requestIdFrom });
  const { version: _, ...meta } = writeMeta(shown);
  return meta;
}

function asideOf(meta: JsonObject): readonly JsonObject[] {
  return Object.keys(meta).length === 0 ? [] : [textBlock(JSON.stringify({ meta }))];
}

/** Several texts, of which perhaps some were changed; an answer to a question is no longer those texts. */
function isTexts({ source, isSelected }: Parcel): boolean {
  return source?.isTexts === true && isSelected !== true;
}

/** Data that was changed on its way, or that a handler gave: a text as it is, anything else as JSON; or that lost its spaces. */
function contentOf(data: JsonValue, parcel: Parcel): readonly JsonObject[] {
  if (typeof data === "string") return [textBlock(data)];
  if (isTexts(parcel) && Array.isArray(data)) return data.map((text) => textBlock(String(text)));
  const { isDense, source } = parcel;
  // A note says that only spaces are gone: numbers and escapes stay as the server wrote them.
  const ownText = isDense === true && source?.written?.value === data ? source.written.text : undefined;
  return [textBlock(ownText === undefined ? JSON.stringify(data) : dropSpaces(ownText))];
}

/** Clients check what a tool's schema promises; where none is listed, none is promised, and no structure is sent. */
function structureOf(data: JsonValue, { delivery }: PipelineContext): JsonObject | undefined {
  return delivery !== "text" && isJsonObject(data) ? data : undefined;
}

function plainly(
  content: readonly JsonObject[],
  structure: JsonObject | undefined,
  isBareText: boolean,
): Wire {
  const json = structure === undefined ? { content } : { content, structuredContent: structure };
  return { level: "result", json, dialect: "plain", isBareText };
}

/** The parcel in plain MCP, where `auto` takes that; undefined where it takes response-v2. */
export function plainWords(parcel: Parcel, context: PipelineContext): Wire | undefined {
  const outcome = partOf(parcel, "outcome");
  if (!outcome.ok) return undefined;
  const { data, notes } = outcome;
  const { notes: own = {}, isEnvelope = false } = parcel.source ?? {};
  const meta = metaOf(notes, outcome, context);
  const known = metaOf(own, outcome, context);
  const sent = sentResult(parcel, data);
  if (sent !== undefined && jsonEqual(meta, known))
    return { level: "result", json: sent, dialect: "plain", isAsSent: true };
  // An envelope has its own place for what is to be said.
  if (isEnvelope) return undefined;
  // Notes that are there already are written again with ours.
  if (sent !== undefined && Object.keys(known).length === 0) {
    const { isError: _, ...rest } = sent;
    const content = Array.isArray(sent["content"]) ? sent["content"] : [];
    const json = { ...rest, content: [...content, ...asideOf(meta)] };
    return { level: "result", json, dialect: "plain", isAsSent: true };
  }
  const isCut = (notes.fidelity?.level ?? "full") !== "full";
  // A cut structure would pass for the whole: only text says its own end, beside notes that say the same.
  if (isCut && (typeof data !== "string" || context.delivery !== "text")) return undefined;
  const isBareText = typeof data === "string" || isTexts(parcel);
  const structure = structureOf(placedData(parcel, data, context), context);
  return plainly([...contentOf(data, parcel), ...asideOf(meta)], structure, isBareText);
}
