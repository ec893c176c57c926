// Makes a finished result whole for its reader: what the model behind this client gets holds every fact of the result
// once, or names what is missing. Nothing is repaired that is not broken: a result that its reader already gets whole
// is returned as the same object.

import { NOTES_META_KEY } from "../../contract/wire-names.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import {
  DEAR_MIRROR,
  blocksOf,
  isMirror,
  structureHolds,
  structureOf,
  textOf,
  textsHold,
} from "../../readers/facts-held.ts";
import { pictureIn } from "../../readers/bytes-for.ts";
import { type Reader, type Shown, shownOf } from "../../readers/reader.ts";

interface ResultForm {
  /** Clients were given an output schema, which the structure of a success must keep to. */
  readonly isTyped: boolean;
  /** Whether a structure keeps to it. */
  readonly fits: (structure: JsonObject) => boolean;
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
  const content = apart(channels.blocks, reader);
  const isSame = content.length === given.length && content.every((block, index) => block === given[index]);
  const meta = metaFor(result, reader);
  if (isSame && channels.structure === structureOf(result) && meta === result["_meta"]) return result;
  const { structuredContent: _structure, _meta, ...rest } = result;
  const structure = channels.structure === undefined ? {} : { structuredContent: channels.structure };
  return { ...rest, content, ...structure, ...(meta === undefined ? {} : { _meta: meta }) };
}

/** Our notes of a call are for programs: a model that is shown them pays for an id, a limit and times. */
const forPrograms = ["request_id", "rate_limit", "telemetry"] as const;

/** `_meta` as the model may read it: what the server itself put there stays. */
function metaFor({ _meta: meta, isError }: JsonObject, { showsMeta }: Reader): JsonValue | undefined {
  const isShown = showsMeta === "always" || (showsMeta === "failures" && isError === true);
  const notes = isJsonObject(meta) ? meta[NOTES_META_KEY] : undefined;
  if (!isShown || !isJsonObject(meta) || !isJsonObject(notes)) return meta;
  if (!forPrograms.some((key) => Object.hasOwn(notes, key))) return meta;
  const { [NOTES_META_KEY]: _notes, ...others } = meta;
  const kept = Object.entries(notes).filter(([key]) => !forPrograms.some((name) => name === key));
  return kept.length === 0 ? others : { ...others, [NOTES_META_KEY]: Object.fromEntries(kept) };
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
  { isTyped, fits }: ResultForm,
): Channels {
  const { blocks, structure, isError } = channels;
  const hasSchema = isTyped && !isError;
  const isHidden = hasSchema && reader.hidesBrokenSuccesses && (structure === undefined || !fits(structure));
  if (isHidden) return withStub(channels, shown);
  if (structure === undefined) return channels;
  if (isError && isTyped && reader.hidesBrokenFailures && !fits(structure)) return withoutStructure(channels);
  if (blocks.length === 0 && (reader.showsBareStructure || shown === "whole")) return channels;
  if (shown === "blocks") return withWholeTexts(channels);
  if (shown === "both" || shown === "whole") {
    // A failure needs no structure, whatever the schema says.
    if (isError && textsHold(blocks, structure)) return { ...channels, structure: undefined };
    if (blocks.length > 0) return withoutDearMirror(channels, reader, hasSchema);
    return hasSchema ? { ...channels, blocks: [textBlock(IN_STRUCTURE)] } : withoutStructure(channels);
  }
  if (hasSchema) return shown === "structure" ? withTextInside(channels) : withWholeTexts(channels);
  if (structureHolds(structure, blocks)) return shown === "structure" ? channels : withWholeTexts(channels);
  return withoutStructure(channels);
}

/**
 * For a client that would put an error of its own in place of a result that breaks the tool's schema: the texts hold
 * everything, and the structure is of a form that every advertised schema allows. Models that read the structure alone
 * find everything there too.
 */
function withStub(channels: Channels, shown: Shown): Channels {
  const { blocks, structure } = channels;
  const omitted = { reason: "not as the output schema says: see the text" };
  const isRead = shown === "structure" || shown === "either";
  const result = isRead && structure !== undefined ? { result: structure } : {};
  const text = isRead ? textBeside(structure, blocks) : {};
  return { ...withWholeTexts(channels), structure: envelopeOf({ omitted }, { ...text, ...result }) };
}

/** For a model that gets the structure alone: what only the blocks say goes beside the data. */
function withTextInside(channels: Channels): Channels {
  const { blocks, structure } = channels;
  if (structure === undefined || structureHolds(structure, blocks)) return channels;
  const beside = textBeside(structure, blocks);
  // Results that were written here may be in an envelope already.
  const { success, meta } = structure;
  const isEnvelope = typeof success === "boolean" && isJsonObject(meta);
  const whole = isEnvelope ? { ...structure, meta: { ...meta, ...beside } } : envelopeOf(structure, beside);
  return { ...channels, structure: whole };
}

function envelopeOf(data: JsonObject, beside: JsonObject): JsonObject {
  return { success: true, data, error: null, meta: { version: "response-v2", ...beside } };
}

/** What the blocks say, without a mirror of the structure, which is sent too. */
function textBeside(structure: JsonObject | undefined, blocks: readonly JsonObject[]): JsonObject {
  const others =
    structure === undefined ? blocks : blocks.filter((block) => !structureHolds(structure, [block]));
  const texts = others.map((block) => textOf(block) || wordsFor(block));
  return texts.length === 0 ? {} : { text: texts.join("\n") };
}

/** The texts then hold everything. */
function withoutStructure(channels: Channels): Channels {
  return { ...withWholeTexts(channels), structure: undefined };
}

/** The structure's JSON as one more text, if the texts lack any of it. */
function withWholeTexts(channels: Channels): Channels {
  const { blocks, structure } = channels;
  if (structure === undefined || textsHold(blocks, structure)) return channels;
  return { ...channels, blocks: [...blocks, textBlock(JSON.stringify(structure))] };
}

/** For a model that gets both channels: a long mirror goes. An exact one may be shown once by the client itself. */
function withoutDearMirror(channels: Channels, reader: Reader, hasSchema: boolean): Channels {
  const { blocks, structure } = channels;
  if (structure === undefined) return channels;
  const mirror = blocks.find((block) => isMirror(block, structure));
  const text = mirror === undefined ? "" : textOf(mirror);
  if (mirror === undefined || text.length < DEAR_MIRROR) return channels;
  if (reader.showsMirrorOnce === true && text === JSON.stringify(structure)) return channels;
  if (!hasSchema) return { ...channels, structure: undefined };
  return { ...channels, blocks: blocks.map((block) => (block === mirror ? textBlock(IN_STRUCTURE) : block)) };
}

const IN_STRUCTURE = "[the result is in structuredContent]";

function textBlock(text: string): JsonObject {
  return { type: "text", text };
}

// Blocks that a reader does not show.

function blockFor(block: JsonObject, reader: Reader, habit: Shown): JsonObject {
  if (isForUserAlone(block)) return textBlock(`[${nameOf(block)} for the user is not shown here]`);
  const { type } = block;
  const isLost = [...reader.drops, ...reader.failsOn].some((kind) => kind === type);
  const isHalfLost = reader.hidesUris === true && habit !== "whole" && embeddedText(block) !== undefined;
  if (isLost || isHalfLost) return textBlock(wordsFor(block));
  return type === "image" ? withTrueType(block) : block;
}

/** A block that is not shown, in words. */
function wordsFor(block: JsonObject): string {
  if (block["type"] === "resource_link") return linkLine(block);
  return embeddedText(block) ?? `[${nameOf(block)}: this client does not show it]`;
}

/** The text of an embedded resource, under its address. */
function embeddedText({ resource }: JsonObject): string | undefined {
  const { uri, text } = isJsonObject(resource) ? resource : {};
  return typeof text === "string" ? `${sayText(uri)}\n${text}` : undefined;
}

/** Models refuse a picture whose name of its format is not the true one, such as `image/jpg`. */
function withTrueType(block: JsonObject): JsonObject {
  const format = pictureIn(block)?.format;
  const mimeType = `image/${format}`;
  return format === undefined || block["mimeType"] === mimeType ? block : { ...block, mimeType };
}

function isForUserAlone({ annotations }: JsonObject): boolean {
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

/** Texts that a client joins without a separator would run into each other. */
function apart(blocks: readonly JsonObject[], { joins }: Reader): readonly JsonObject[] {
  if (joins !== "") return blocks;
  return blocks.map((block, index) => {
    const text = textOf(block);
    const next = blocks[index + 1];
    if (text === "" || text.endsWith("\n") || next === undefined || textOf(next) === "") return block;
    return { ...block, text: `${text}\n` };
  });
}
