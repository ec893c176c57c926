// Makes a finished result whole for its reader: what the model behind this client gets holds every fact of the result
// once, or names what is missing. Nothing is repaired that is not broken: a result that its reader already gets whole
// is returned as the same object.

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
import { type Reader, type Shown, shownOf } from "../../readers/reader.ts";

/**
 * `hasSchema`: clients were given an output schema, which the structure of a success must keep to. `isOwn`: the result
 * was written here, so its structure keeps to that schema on failures too.
 */
export function forReader(result: JsonObject, reader: Reader, hasSchema: boolean, isOwn = false): JsonObject {
  const given = blocksOf(result);
  if (given === undefined) return result;
  const blocks = given.map((block) => blockFor(block, reader));
  const shown = shownOf(result["isError"] === true ? reader.failure : reader.success, blocks);
  const channels = channelsFor(
    { blocks, structure: structureOf(result), isError: result["isError"] === true },
    shown,
    reader,
    { isTyped: hasSchema, isOwn },
  );
  const content = apart(channels.blocks, reader);
  const isSame = content.length === given.length && content.every((block, index) => block === given[index]);
  if (isSame && channels.structure === structureOf(result)) return result;
  const { structuredContent: _left, ...rest } = result;
  const structure = channels.structure === undefined ? {} : { structuredContent: channels.structure };
  return { ...rest, content, ...structure };
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
  { isTyped, isOwn }: { readonly isTyped: boolean; readonly isOwn: boolean },
): Channels {
  const { structure, isError } = channels;
  if (structure === undefined) return channels;
  // The structure of a failure seldom fits the schema of successes.
  if (isError && isTyped && !isOwn && reader.hidesBrokenFailures) return withoutStructure(channels);
  if (channels.blocks.length === 0 && reader.showsBareStructure) return channels;
  const hasSchema = isTyped && !isError;
  if (shown === "blocks") return withWholeTexts(channels);
  if (shown === "both" || shown === "whole") return withoutDearMirror(channels, reader, hasSchema);
  if (hasSchema) return shown === "structure" ? channels : withWholeTexts(channels);
  if (structureHolds(structure, channels.blocks))
    return shown === "structure" ? channels : withWholeTexts(channels);
  return withoutStructure(channels);
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

function blockFor(block: JsonObject, reader: Reader): JsonObject {
  if (isForUserAlone(block)) return textBlock(`[${nameOf(block)} for the user is not shown here]`);
  const { type } = block;
  const isLost = [...reader.drops, ...reader.failsOn].some((kind) => kind === type);
  if (!isLost) return block;
  if (type === "resource_link") return textBlock(linkLine(block));
  const resource = isJsonObject(block["resource"]) ? block["resource"] : {};
  if (typeof resource["text"] === "string")
    return textBlock(`${sayText(resource["uri"])}\n${resource["text"]}`);
  return textBlock(`[${nameOf(block)}: this client does not show it]`);
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
