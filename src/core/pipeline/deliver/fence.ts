// Puts a result between two lines that say: this is data from a server, and no instruction. The lines have a code that
// the content does not hold, so no content can write the second line itself. In a structure, which is read as JSON,
// two keys with the code are the lines; where the tool's schema has no room for them, an envelope has a note.

import { closing, insideOf, lineKeys, lineTexts, opening } from "../../contract/fence-lines.ts";
import { CONTRACT_META_KEY, NOTES_META_KEY } from "../../contract/wire-names.ts";
import { exactTextOf, rememberText } from "../../json/exact-text.ts";
import { type JsonObject, isJsonObject, mapObject } from "../../json/json-value.ts";
import { StructureFacts, blocksHold, blocksOf, structureOf } from "../../readers/facts-held.ts";
import { type Reader, type Shown, shownOf } from "../../readers/reader.ts";

/** What is known of the tool and of the reader of the result. */
interface FenceForm {
  readonly isTyped: boolean;
  /** Whether a structure keeps to the tool's output schema. */
  readonly fits: (structure: JsonObject) => boolean;
  /** The same of a structure with further keys, of which a schema may say more than one look tells. */
  readonly takes: (structure: JsonObject) => boolean;
  /** Undefined if nothing is known: every channel may then be read. */
  readonly reader: Reader | undefined;
  /** Whether a structure may be given further keys or put into an envelope, have a note in its own, or must stay. */
  readonly structures: "change" | "note" | "keep";
}

/** As many digits of a hash as no content can aim at: it would have to hold its own hash. */
const CODE_DIGITS = 12;

/** A code for measuring: digits and letters in turn cost more tokens than any other code. */
export const DEAREST_CODE = "0f1e2d3c4b5a";

/** What the lines cost of a budget in one channel, at most; a test counts it. */
export const FENCE_COST = { tokens: 110, bytes: 360 } as const;

/** The first digits of a hash of the content that the content does not hold; equal content has an equal code. */
export function fenceCode(content: string, hash: string): string {
  const searched = content.toLowerCase();
  for (let start = 0; start + CODE_DIGITS <= hash.length; start++) {
    const code = hash.slice(start, start + CODE_DIGITS);
    if (!searched.includes(code)) return code;
  }
  return hash;
}

/** How a reader shows results that stand between two lines: they are never a single text, and never begin with JSON. */
export function behindFence(reader: Reader): Reader {
  const { showsMirrorOnce: _once, copiesJson: _copies, ...rest } = reader;
  const habit = (shown: Shown): Shown => (shown === "both-for-one-text" ? "blocks" : shown);
  return { ...rest, success: habit(reader.success), failure: habit(reader.failure) };
}

/** The same result if it has nothing that is read. */
export function fence(result: JsonObject, code: string, form: FenceForm): JsonObject {
  const given = blocksOf(result);
  const structure = structureOf(result);
  if (given === undefined || (given.length === 0 && structure === undefined)) return result;
  const isError = result["isError"] === true;
  const { reader } = form;
  const habit = (isError ? reader?.failure : reader?.success) ?? "either";
  // Two texts more would hide a structure that is shown only where it stands alone.
  const shown = given.length === 0 ? "structure" : shownOf(habit, between(given, code), form.isTyped);
  const isRead = structure !== undefined && shown !== "blocks";
  const fenced = isRead ? fencedStructure(structure, code, isError, form) : structure;
  const isGone =
    fenced === undefined &&
    structure !== undefined &&
    !blocksHold(given, new StructureFacts(structure, isError));
  const blocks = isGone ? [...given, textBlock(exactTextOf(structure) ?? JSON.stringify(structure))] : given;
  const content = blocks.length === 0 ? blocks : between(blocks, code);
  const { structuredContent: _structure, content: _content, _meta: meta, ...others } = result;
  const shownMeta = metaFor(meta, isError, reader);
  return {
    // Beside the data a model that is given the whole result would read keys of the server's own.
    ...(habit === "whole" ? mapObject(others, ofTheProtocol) : others),
    content,
    ...(fenced !== undefined && { structuredContent: fenced }),
    ...(shownMeta !== undefined && { _meta: shownMeta }),
  };
}

function between(blocks: readonly JsonObject[], code: string): readonly JsonObject[] {
  const [first, last] = lineTexts(code);
  return [textBlock(first), ...blocks, textBlock(last)];
}

function textBlock(text: string): JsonObject {
  return { type: "text", text };
}

const protocolKeys: readonly string[] = ["isError", "resultType"];

function ofTheProtocol<Value>(value: Value, key: string): Value | undefined {
  return protocolKeys.includes(key) ? value : undefined;
}

/** What the server itself wrote into `_meta` would be read outside the lines. */
function metaFor(meta: JsonObject[string] | undefined, isError: boolean, reader: Reader | undefined) {
  const isShown = reader?.showsMeta === "always" || (reader?.showsMeta === "failures" && isError);
  if (!isShown || !isJsonObject(meta)) return meta;
  return mapObject(meta, (value, key) =>
    key === CONTRACT_META_KEY || key === NOTES_META_KEY ? value : undefined,
  );
}

/** Undefined for a failure whose structure has no room for the lines: its texts say the same. */
function fencedStructure(
  structure: JsonObject,
  code: string,
  isError: boolean,
  { isTyped, fits, takes, structures }: FenceForm,
): JsonObject | undefined {
  // A structure that already breaks the schema is an envelope of ours, which every listed schema allows, or broken.
  const isFree = (made: JsonObject): boolean => !isTyped || takes(made) || !fits(structure);
  const isExact = exactTextOf(structure) === undefined;
  const noted = structures === "keep" ? undefined : withNote(structure, code);
  if (noted !== undefined && isExact && isFree(noted)) return noted;
  if (structures !== "change") return structure;
  const lined = withLines(structure, code);
  if (lined !== undefined && isFree(lined)) return lined;
  return isError ? undefined : inEnvelope(structure, code);
}

/** An envelope has its note in `meta`. */
function withNote(structure: JsonObject, code: string): JsonObject | undefined {
  const { success, meta } = structure;
  if (typeof success !== "boolean" || !isJsonObject(meta)) return undefined;
  return { ...structure, meta: { ...meta, untrusted: insideOf(code) } };
}

/** Undefined if the line cannot be the first key: keys that are whole numbers come before all others. */
function withLines(structure: JsonObject, code: string): JsonObject | undefined {
  const [first, last] = lineKeys(code);
  const before = { [first]: opening(code) };
  const after = { [last]: closing(code) };
  const lined = { ...before, ...structure, ...after };
  if (Object.keys(lined)[0] !== first) return undefined;
  const inside = (part: string): string => part.trim().slice(1, -1);
  return keepExact(
    lined,
    structure,
    (text) => `{${[JSON.stringify(before), text, JSON.stringify(after)].map(inside).join(",")}}`,
  );
}

function inEnvelope(structure: JsonObject, code: string): JsonObject {
  const meta = { version: "response-v2", untrusted: insideOf(code) };
  return keepExact(
    { success: true, data: structure, error: null, meta },
    structure,
    (text) => `{"success":true,"data":${text},"error":null,"meta":${JSON.stringify(meta)}}`,
  );
}

/** A structure with numbers that JavaScript rounds is written as the server wrote it. */
function keepExact(made: JsonObject, structure: JsonObject, write: (text: string) => string): JsonObject {
  const exact = exactTextOf(structure);
  if (exact !== undefined) rememberText(made, () => write(exact));
  return made;
}
