// The choice `auto` is not a dialect: it chooses one for each result. A whole success is plain MCP, and a ready-made
// one keeps its server's exact words; a failure, or a cut of anything but bare text, is response-v2.
// Promises that a result stays the same object if nothing was removed from it and nothing has to be added.

import { closingText } from "../../contract/closing-line.ts";
import { writeMeta } from "../../contract/envelope.ts";
import type { Notes, Success } from "../../contract/outcome.ts";
import { shownNotes } from "../../contract/profile.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { getByPointer } from "../../json/pointer.ts";
import { dropSpaces } from "../../json/scan-json.ts";
import { type Parcel, type Wire, blockText, hasProse, partOf, placedData } from "../parcel.ts";
import type { PipelineContext } from "../pipeline-context.ts";

function textBlock(text: string): JsonObject {
  return { type: "text", text };
}

/** The ready-made result, if every stage so far left its data, its blocks and its `_meta` unchanged. */
function sentResult(parcel: Parcel, data: JsonValue): JsonObject | undefined {
  const { arrival, source, blocks = [], resultMeta, isDense } = parcel;
  if (arrival.kind !== "result" || source === undefined || source.data !== data || isDense === true)
    return undefined;
  const isSame =
    source.blocks.length === blocks.length && source.blocks.every((block, at) => block === blocks[at]);
  return isSame && source.meta === resultMeta ? arrival.result : undefined;
}

/**
 * The notes that the profile shows, without the version, which plain MCP has no place for, and without the request id,
 * which would otherwise be added to every result.
 */
function metaOf(notes: Notes, outcome: Success, context: PipelineContext): JsonObject {
  return metaIn(shownAside(notes, outcome, context));
}

function shownAside(notes: Notes, outcome: Success, { profile, requestIdFrom }: PipelineContext): Notes {
  const presence = { [profile.name]: { requestId: "never" } } as const;
  // Plain MCP has no place for metadata, so the profile decides about what the tool said there.
  const plain = notes.authored === undefined ? notes : { ...notes, authored: undefined };
  return shownNotes({ presence }, { ...outcome, notes: plain }, { profile, requestIdFrom });
}

function metaIn(notes: Notes, detailsAlone = false): JsonObject {
  const { version: _, ...meta } = writeMeta(notes, { detailsAlone });
  return meta;
}

function asideBlocks(meta: JsonObject): readonly JsonObject[] {
  return Object.keys(meta).length === 0 ? [] : [textBlock(JSON.stringify({ meta }))];
}

/** Whether the data is several texts, some perhaps changed; an answer to a question is no longer those texts. */
function isTexts({ source, isSelected }: Parcel): boolean {
  return source?.isTexts === true && isSelected !== true;
}

/** Data that changed on the way, lost its spaces, or came from a handler: a text as it is, anything else as JSON. */
function contentOf(data: JsonValue, parcel: Parcel): readonly JsonObject[] {
  if (typeof data === "string") return [textBlock(data)];
  if (isTexts(parcel) && Array.isArray(data)) return data.map((text) => textBlock(String(text)));
  const { isDense, source } = parcel;
  // A note says that only spaces were removed: numbers and escapes stay as the server wrote them.
  const ownText = isDense === true && source?.written?.value === data ? source.written.text : undefined;
  return [textBlock(ownText === undefined ? JSON.stringify(data) : dropSpaces(ownText))];
}

/**
 * Clients check what a tool's schema promises. A tool listed without a schema promises nothing, so no structure is
 * sent.
 */
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

/** The parcel in plain MCP if `auto` chooses that; undefined if it chooses response-v2. */
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
  // An envelope has its own place for the notes.
  if (isEnvelope) return undefined;
  // If the result already has notes, they are rewritten together with ours further down.
  if (sent !== undefined && Object.keys(known).length === 0) {
    const { isError: _, ...rest } = sent;
    const content = Array.isArray(sent["content"]) ? sent["content"] : [];
    const json = { ...rest, content: [...content, ...asideBlocks(meta)] };
    return { level: "result", json, dialect: "plain", isAsSent: true };
  }
  if (isLeanText(parcel, context)) return inTexts(contentOf(data, parcel), outcome, context);
  // A cut structure would pass for the whole: only a text can say where it ends.
  if (isCutShort(notes)) return cutPlainly(parcel, outcome, context);
  const isBareText = typeof data === "string" || isTexts(parcel);
  const structure = structureOf(placedData(parcel, data, context), context);
  return plainly([...contentOf(data, parcel), ...asideBlocks(meta)], structure, isBareText);
}

// A text that is cut stays a text: its beginning word for word, then lines in words. Programs find the notes in the
// envelope, or in the result's `_meta` if there is no structure.

function isCutShort({ fidelity }: Notes): boolean {
  return (fidelity?.level ?? "full") !== "full";
}

/** The place of the text that models read as text: "" if it is all of the data, undefined if JSON is sent. */
export function textPlaceOf(parcel: Parcel, context: PipelineContext): string | undefined {
  const { outcome, source, isSelected } = parcel;
  if (context.dialect !== "auto" || context.staysPlain === true || outcome?.ok !== true) return undefined;
  if (typeof outcome.data === "string") return context.delivery === "text" ? "" : undefined;
  return context.delivery === "mirror" && isSelected !== true && !hasProse(parcel)
    ? source?.textAt
    : undefined;
}

/** The texts of a cut whose structure has a text; undefined if JSON is sent. */
export function cutTexts(
  parcel: Parcel,
  shown: Notes,
  context: PipelineContext,
): readonly string[] | undefined {
  const { outcome } = parcel;
  const at = textPlaceOf(parcel, context);
  if (at === undefined || outcome?.ok !== true || outcome.notes.fidelity?.level !== "partial")
    return undefined;
  const head = getByPointer(outcome.data, at);
  return typeof head === "string" ? [head, closingText(head, shown.warnings)] : undefined;
}

/** A cut of bare texts; undefined for any other cut, which is an envelope. */
function cutPlainly(parcel: Parcel, outcome: Success, context: PipelineContext): Wire | undefined {
  const texts = bareTexts(parcel, outcome.data, context);
  return texts === undefined ? undefined : inTexts(texts.map(textBlock), outcome, context);
}

/** Texts, then what is missing of them in words; programs find it in `_meta`. */
function inTexts(texts: readonly JsonObject[], outcome: Success, context: PipelineContext): Wire {
  const { warnings, fidelity, ...others } = shownAside(outcome.notes, outcome, context);
  const aside = asideBlocks(metaIn(others));
  const closing = textBlock(closingText(blockText(texts.at(-1) ?? {}), warnings));
  const noted = metaIn({ warnings, fidelity }, true);
  return { ...plainly([...texts, ...aside, closing], undefined, true), noted };
}

/** JSON without what a model does not need stays a text, unless it was cut as well. */
function isLeanText({ lean, cut }: Parcel, { delivery }: PipelineContext): boolean {
  return lean !== undefined && cut === undefined && delivery === "text";
}

/** What is left of one text, or of several. A summary in their place is JSON. */
function bareTexts(parcel: Parcel, data: JsonValue, context: PipelineContext): readonly string[] | undefined {
  if (typeof data === "string") return textPlaceOf(parcel, context) === "" ? [data] : undefined;
  const isList = isTexts(parcel) && context.delivery === "text" && Array.isArray(data);
  return isList && data.every((text) => typeof text === "string") ? data : undefined;
}
