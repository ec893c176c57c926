// Makes a finished result whole for its reader: what the model behind this client gets holds every fact of the result
// once, or names what is missing. Nothing is repaired that is not broken: a result that its reader already gets whole
// is returned as the same object.

import { NOTES_META_KEY } from "../../contract/wire-names.ts";
import { exactTextOf } from "../../json/exact-text.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../json/json-value.ts";
import {
  DEAR_MIRROR,
  StructureFacts,
  blocksHold,
  blocksOf,
  membersOutside,
  structureOf,
  textOf,
} from "../../readers/facts-held.ts";
import { pictureIn } from "../../readers/bytes-for.ts";
import { type Reader, type Shown, shownOf } from "../../readers/reader.ts";

interface ResultForm {
  /** Clients were given an output schema, which the structure of a success must keep to. */
  readonly isTyped: boolean;
  /** Whether a structure keeps to it. */
  readonly fits: (structure: JsonObject) => boolean;
  /** How many of the first blocks say in words what the structure says as data; both were written here. */
  readonly inWords?: number;
}

export function forReader(result: JsonObject, reader: Reader, form: ResultForm): JsonObject {
  const given = blocksOf(result);
  if (given === undefined) return result;
  const habit = result["isError"] === true ? reader.failure : reader.success;
  const blocks = given.map((block) => blockFor(block, reader, habit));
  const shown = shownOf(habit, blocks, form.isTyped);
  const channels = channelsFor(
    { blocks, structure: structureOf(result), isError: result["isError"] === true },
    shown,
    reader,
    form,
  );
  const content = apart(habit === "whole" ? keptAsText(channels, reader) : channels.blocks, reader);
  const isSame = content.length === given.length && content.every((block, index) => block === given[index]);
  const meta = metaFor(result, reader);
  if (isSame && channels.structure === structureOf(result) && meta === result["_meta"]) return result;
  const { structuredContent: _structure, _meta, ...rest } = result;
  const structure = channels.structure === undefined ? {} : { structuredContent: channels.structure };
  return { ...rest, content, ...structure, ...(meta === undefined ? {} : { _meta: meta }) };
}

/**
 * `_meta` as the model may read it: what the server itself put there stays. Our notes of a call are for programs: a
 * model that is shown them pays for ids, limits and times. Of a cut it gets the handle and what is missing.
 */
function metaFor({ _meta: meta, isError }: JsonObject, { showsMeta }: Reader): JsonValue | undefined {
  const isShown = showsMeta === "always" || (showsMeta === "failures" && isError === true);
  const notes = isJsonObject(meta) ? meta[NOTES_META_KEY] : undefined;
  if (!isShown || !isJsonObject(meta) || !isJsonObject(notes)) return meta;
  const { [NOTES_META_KEY]: _notes, ...others } = meta;
  const { content_fidelity: fidelity, content_archive_hashes: hashes, dropped_content_ids: dropped } = notes;
  if (fidelity === undefined) return others;
  const [hash] = isJsonObject(hashes) ? Object.values(hashes) : [];
  const short =
    typeof hash === "string" ? { archive: hash.replace("sha256:", "").slice(0, HANDLE_DIGITS) } : {};
  const shown = shortIds(Array.isArray(dropped) ? dropped : []);
  const ids = shown.length === 0 ? {} : { dropped_content_ids: shown };
  return { ...others, [NOTES_META_KEY]: { content_fidelity: fidelity, ...short, ...ids } };
}

/** As many as the handle has in the call that a cut recommends. */
const HANDLE_DIGITS = 12;
/** A name of what is missing may be as long as the keys of the data. */
const MAX_IDS_CHARACTERS = 32;
const MAX_SHOWN_IDS = 2;

/** The first names, so that a cut takes at most 60 tokens of `_meta`. */
function shortIds(dropped: readonly JsonValue[]): readonly JsonValue[] {
  const [first, second] = dropped.map((id) => sayText(id).length);
  const both = (first ?? 0) + (second ?? 0);
  return dropped
    .slice(0, both <= MAX_IDS_CHARACTERS ? MAX_SHOWN_IDS : 1)
    .filter((id) => sayText(id).length <= MAX_IDS_CHARACTERS);
}

interface Channels {
  readonly blocks: readonly JsonObject[];
  readonly structure: JsonObject | undefined;
  readonly isError: boolean;
}

// Which channel carries what.

function channelsFor(
  channels: Channels,
  shown: Shown,
  reader: Reader,
  { isTyped, fits, inWords = 0 }: ResultForm,
): Channels {
  const { blocks, structure, isError } = channels;
  const hasSchema = isTyped && !isError;
  const isHidden = hasSchema && reader.hidesBrokenSuccesses && (structure === undefined || !fits(structure));
  if (isHidden) return withStub(channels, shown);
  if (structure === undefined) return channels;
  const facts = new StructureFacts(structure, isError);
  if (isError && isTyped && reader.hidesBrokenFailures && !fits(structure))
    return withoutStructure(channels, facts);
  if (inWords > 0) return withWords(channels, facts, shown, inWords);
  if (blocks.length === 0 && (reader.showsBareStructure || shown === "whole")) return channels;
  if (shown === "blocks") return withWholeTexts(channels, facts);
  if (shown === "both" || shown === "whole") {
    // A failure needs no structure, whatever the schema says.
    if (isError && blocksHold(blocks, facts)) return { ...channels, structure: undefined };
    if (blocks.length > 0) return withoutDearMirror(channels, facts, reader, hasSchema);
    return hasSchema ? { ...channels, blocks: [textBlock(IN_STRUCTURE)] } : withoutStructure(channels, facts);
  }
  if (shown === "either") return withBoth(channels, facts, (made) => !hasSchema || fits(made));
  return hasSchema ? withTextInside(channels, facts) : withoutLackingStructure(channels, facts);
}

/** A text that was cut here, beside its envelope. */
function withWords(channels: Channels, facts: StructureFacts, shown: Shown, inWords: number): Channels {
  const { blocks } = channels;
  const others = blocks.slice(inWords);
  if (shown === "blocks") return channels;
  if (shown === "structure" || shown === "either")
    return { ...withTextInside({ ...channels, blocks: others }, facts), blocks };
  const length = blocks.slice(0, inWords).reduce((sum, block) => sum + textOf(block).length, 0);
  return length < DEAR_MIRROR ? channels : { ...channels, blocks: [textBlock(IN_STRUCTURE), ...others] };
}

/** For a client of which it is not known what it shows: programs find every field where the server put it. */
function withBoth(channels: Channels, facts: StructureFacts, fits: ResultForm["fits"]): Channels {
  const { blocks } = channels;
  const { structure } = facts;
  const whole = withWholeTexts(channels, facts);
  const held = facts.blocksHeld(blocks);
  // Our notes are not the tool's data.
  const others = blocks.filter((block) => !held.has(block) && !isNotes(block));
  if (others.length === 0) return whole;
  const { text = "" } = textBeside(facts, others, "in the content of this result");
  const name = Object.hasOwn(structure, "text") ? "content_text" : "text";
  const made = isEnvelope(structure) ? withMeta(structure, { text }) : { ...structure, [name]: text };
  return fits(made) ? { ...whole, structure: made } : whole;
}

/** A block that plain results have for their notes: `{"meta": …}`. */
function isNotes(block: JsonObject): boolean {
  const text = textOf(block);
  if (!text.startsWith('{"meta":{')) return false;
  const json = jsonIn(text);
  return isJsonObject(json) && Object.keys(json).length === 1;
}

/** For a model that gets the structure alone, if it is not all of the result. */
function withoutLackingStructure(channels: Channels, facts: StructureFacts): Channels {
  return facts.holds(channels.blocks) ? channels : withoutStructure(channels, facts);
}

/**
 * For a client that would put an error of its own in place of a result that breaks the tool's schema: the texts hold
 * everything, and the structure is of a form that every advertised schema allows. Models that read the structure alone
 * find everything there too.
 */
function withStub(channels: Channels, shown: Shown): Channels {
  const { blocks, structure, isError } = channels;
  const omitted = { reason: BROKEN_STRUCTURE };
  const facts = structure === undefined ? undefined : new StructureFacts(structure, isError);
  const isRead = shown === "structure" || shown === "either";
  const result = isRead && structure !== undefined ? { result: structure } : {};
  const text = isRead ? textBeside(facts, blocks) : {};
  const whole = facts === undefined ? channels : withWholeTexts(channels, facts);
  return { ...whole, structure: envelopeOf({ omitted }, { ...text, ...result }) };
}

export const BROKEN_STRUCTURE = "not as the output schema says: see the text";

/** For a model that gets the structure alone: what only the blocks say goes beside the data. */
function withTextInside(channels: Channels, facts: StructureFacts): Channels {
  const { blocks } = channels;
  const { structure } = facts;
  if (facts.holds(blocks)) return channels;
  const beside = textBeside(facts, blocks);
  const whole = isEnvelope(structure) ? withMeta(structure, beside) : envelopeOf(structure, beside);
  return { ...channels, structure: whole };
}

/** Results that were written here may be in an envelope already. */
function isEnvelope({ success, meta }: JsonObject): boolean {
  return typeof success === "boolean" && isJsonObject(meta);
}

function withMeta(envelope: JsonObject, beside: JsonObject): JsonObject {
  return { ...envelope, meta: { ...(envelope["meta"] as JsonObject), ...beside } };
}

function envelopeOf(data: JsonObject, beside: JsonObject): JsonObject {
  return { success: true, data, error: null, meta: { version: "response-v2", ...beside } };
}

/** What the blocks say, without a mirror of the structure, which is sent too. */
function textBeside(
  facts: StructureFacts | undefined,
  blocks: readonly JsonObject[],
  whereBytes = NOT_SHOWN,
): JsonObject {
  const held = facts?.textsHeld(blocks);
  const others = blocks.filter((block) => held?.has(block) !== true);
  const texts = others.map((block) => textOf(block) || wordsFor(block, whereBytes));
  return texts.length === 0 ? {} : { text: texts.join("\n") };
}

/** The texts then hold everything. */
function withoutStructure(channels: Channels, facts: StructureFacts): Channels {
  return { ...withWholeTexts(channels, facts), structure: undefined };
}

/** The JSON of what the texts lack of the structure as one more text: members that they hold are not paid twice. */
function withWholeTexts(channels: Channels, facts: StructureFacts): Channels {
  const { blocks } = channels;
  const { structure } = facts;
  const lacking = membersOutside(blocks, facts);
  if (lacking === undefined) return channels;
  const exact = exactTextOf(structure);
  const isWhole = lacking === structure || exact !== undefined || isEnvelope(structure);
  const text = isWhole ? (exact ?? facts.json) : JSON.stringify(lacking);
  return { ...channels, blocks: [...blocks, textBlock(text)] };
}

/** For a model that gets both channels: drops a long repeat of the structure. Some clients drop an exact one. */
function withoutDearMirror(
  channels: Channels,
  facts: StructureFacts,
  reader: Reader,
  hasSchema: boolean,
): Channels {
  const { blocks } = channels;
  const long = blocks.filter((block) => textOf(block).length >= DEAR_MIRROR);
  for (const block of long) {
    const repeat = facts.repeatIn(block);
    if (repeat === undefined) continue;
    if (repeat === "exact" && reader.showsMirrorOnce === true) return channels;
    // A text that is one of the structure's values may lack the others.
    if (!hasSchema && (repeat !== "value" || blocksHold(blocks, facts)))
      return { ...channels, structure: undefined };
    return { ...channels, blocks: blocks.map((one) => (one === block ? textBlock(IN_STRUCTURE) : one)) };
  }
  return channels;
}

export const IN_STRUCTURE = "[the result is in structuredContent]";

function textBlock(text: string): JsonObject {
  return { type: "text", text };
}

// Blocks that a reader does not show.

function blockFor(block: JsonObject, reader: Reader, habit: Shown): JsonObject {
  // An unknown client may show these to its user, who alone may see them.
  if (isForUserAlone(block) && habit !== "either")
    return textBlock(`[${nameOf(block)} for the user is not shown here]`);
  const { type } = block;
  const isLost = [...reader.drops, ...reader.failsOn].some((kind) => kind === type);
  const isHalfLost = reader.hidesUris === true && habit !== "whole" && embeddedText(block) !== undefined;
  if (isLost || isHalfLost) return textBlock(wordsFor(block));
  return type === "image" ? withTrueType(block) : block;
}

/** A block that is not shown, in words. */
function wordsFor(block: JsonObject, whereBytes = NOT_SHOWN): string {
  if (block["type"] === "resource_link") return linkLine(block);
  return embeddedText(block) ?? `[${nameOf(block)}: ${whereBytes}]`;
}

const NOT_SHOWN = "this client does not show it";

/** The text of an embedded resource, under its address. */
function embeddedText({ resource }: JsonObject): string | undefined {
  const { uri, text } = isJsonObject(resource) ? resource : {};
  return typeof text === "string" ? `${sayText(uri)}\n${text}` : undefined;
}

/** Models refuse a picture whose media type is not the true one, such as `image/jpg`. */
function withTrueType(block: JsonObject): JsonObject {
  const format = pictureIn(block)?.format;
  const mimeType = `image/${format}`;
  return format === undefined || block["mimeType"] === mimeType ? block : { ...block, mimeType };
}

export function isForUserAlone({ annotations }: JsonObject): boolean {
  const audience = isJsonObject(annotations) ? annotations["audience"] : undefined;
  return Array.isArray(audience) && audience.length > 0 && audience.every((who) => who === "user");
}

/** Such as "audio, audio/wav". */
function nameOf(block: JsonObject): string {
  const resource = isJsonObject(block["resource"]) ? block["resource"] : block;
  const facts = [block["type"], resource["uri"], resource["mimeType"]].map(sayText);
  return facts.filter((fact) => fact !== "").join(", ");
}

function linkLine({ title, name, uri, description }: JsonObject): string {
  const facts = [sayText(title) || sayText(name), sayText(uri), sayText(description)];
  return `[link: ${facts.filter((fact) => fact !== "").join(", ")}]`;
}

function sayText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A first text that a client would read as JSON, and show once more as a structure. */
function keptAsText({ blocks, structure, isError }: Channels, { copiesJson }: Reader): readonly JsonObject[] {
  const [first, ...others] = blocks;
  const text = first === undefined ? "" : textOf(first);
  const isCopied = copiesJson === true && isError && structure === undefined && jsonIn(text) !== undefined;
  if (!isCopied) return blocks;
  return [{ ...first, text: `Failed: ${text}` }, ...others];
}

/**
 * Texts that a client joins without a separator would run into each other, also across a picture: some APIs take texts
 * alone, and the client joins what is left.
 */
function apart(blocks: readonly JsonObject[], { joins }: Reader): readonly JsonObject[] {
  if (joins !== "") return blocks;
  const last = blocks.findLastIndex((block) => textOf(block) !== "");
  return blocks.map((block, index) => {
    const text = textOf(block);
    return text === "" || text.endsWith("\n") || index >= last ? block : { ...block, text: `${text}\n` };
  });
}
