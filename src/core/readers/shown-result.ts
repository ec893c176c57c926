// What a client shows its model of a result, by the client's row: which channel, as which texts, without which blocks.
// What measures, checks or shows the results that a model is given asks here.

import { countLineEnds } from "../text/code-points.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { type Reader, type ReaderLimit, type ShownNow, countsFor, shownOf } from "./reader.ts";

type Texts = readonly string[];

/** One way in which a result may be shown. */
export interface Reading {
  readonly channel: Exclude<ShownNow, "either">;
  /** What the model is given, in its order; bytes of pictures are not text, unless the whole is written as JSON. */
  readonly texts: Texts;
}

export interface ShownResult {
  readonly shown: ShownNow;
  /** One reading; one for each channel if it is not known which of them the client shows. */
  readonly readings: readonly Reading[];
  /** The other channel, if the model gets one of two. */
  readonly unseen: readonly Reading[];
  /** Blocks that the model does not get. */
  readonly dropped: readonly JsonObject[];
}

/** `isTyped`: the tool has an output schema. */
export function shownResult(result: JsonObject, reader: Reader, isTyped: boolean): ShownResult {
  const { content, isError } = result;
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const shown = channelOf(
    shownOf(isError === true ? reader.failure : reader.success, blocks, isTyped),
    blocks,
    reader,
  );
  const dropped = blocks.filter((block) => isDropped(block, reader));
  const kept = dropped.length === 0 ? blocks : blocks.filter((block) => !dropped.includes(block));
  if (shown === "whole") {
    const pictures = kept.filter((block) => isHandedOn(block, reader));
    const written = JSON.stringify(shownWhole(result, kept, reader));
    const whole = [written, ...pictures.map(blockText)];
    const texts = repeats(result, reader) ? [...whole, JSON.stringify(kept)] : whole;
    return { shown, readings: [{ channel: shown, texts }], unseen: [], dropped };
  }
  const inBlocks: Reading = { channel: "blocks", texts: kept.map((block) => textFor(block, reader)) };
  const { structuredContent } = result;
  if (structuredContent === undefined) return { shown, readings: [inBlocks], unseen: [], dropped };
  const inStructure: Reading = { channel: "structure", texts: [JSON.stringify(structuredContent)] };
  if (shown === "both")
    return { shown, readings: [together(inBlocks, inStructure, reader)], unseen: [], dropped };
  const isBare = blocks.length === 0 && reader.showsBareStructure;
  if (shown === "either" && !isBare) return { shown, readings: [inBlocks, inStructure], unseen: [], dropped };
  const isInStructure = shown === "structure" || isBare;
  return isInStructure
    ? { shown, readings: [inStructure], unseen: [inBlocks], dropped }
    : { shown, readings: [inBlocks], unseen: [inStructure], dropped };
}

/** A picture in a result that is written as JSON, and yet handed on as a picture. */
function isHandedOn({ type }: JsonObject, { success, asText }: Reader): boolean {
  return type === "image" && success === "whole" && !asText.includes("image");
}

/** The part of the whole result that is written as JSON: without `_meta` if the client never writes it. */
function shownWhole(result: JsonObject, kept: readonly JsonObject[], reader: Reader): JsonObject {
  const content = kept.filter((block) => !isHandedOn(block, reader));
  const all = result["content"] === undefined ? result : { ...result, content };
  if (reader.showsMeta !== "never") return all;
  const { _meta, ...shown } = all;
  return shown;
}

/** A client that shows both channels may still not show a structure without blocks. */
function channelOf(shown: ShownNow, blocks: readonly JsonObject[], { showsBareStructure }: Reader): ShownNow {
  return shown === "both" && blocks.length === 0 && !showsBareStructure ? "blocks" : shown;
}

/** Both channels; a text that is exactly the structure is shown once by some clients. */
function together({ texts }: Reading, { texts: [json = ""] }: Reading, { showsMirrorOnce }: Reader): Reading {
  const isOnce = showsMirrorOnce === true && texts.length === 1 && texts[0] === json;
  return isOnce ? { channel: "blocks", texts } : { channel: "both", texts: [...texts, json] };
}

function isDropped({ type }: JsonObject, { drops }: Reader): boolean {
  return drops.some((kind) => kind === type);
}

/** The client gives its model the blocks of a failure a second time. */
export function repeats({ isError }: JsonObject, { repeatsFailures }: Reader): boolean {
  return isError === true && repeatsFailures === true;
}

function textFor(block: JsonObject, { hidesUris }: Reader): string {
  const { resource } = block;
  const held = hidesUris === true && isJsonObject(resource) ? resource["text"] : undefined;
  return typeof held === "string" ? held : blockText(block);
}

/** The text of a block that a model may be shown; the bytes of images and sounds do not count as text. */
export function blockText(block: JsonObject): string {
  const { type, text, resource } = block;
  if (type === "text" && typeof text === "string") return text;
  if (type === "image" || type === "audio") {
    const { data: _data, ...rest } = block;
    return JSON.stringify(rest);
  }
  if (type !== "resource" || !isJsonObject(resource)) return JSON.stringify(block);
  const { blob: _blob, ...shown } = resource;
  return JSON.stringify({ ...block, resource: shown });
}

/** What a model gets between two texts. */
export const separators: Readonly<Record<Reader["joins"], string>> = {
  apart: "separate parts",
  "": "nothing",
  "\n": "a line end",
  "\n\n": "an empty line",
};

/** Measures a text in each unit. */
export type TextSizes = Readonly<Record<ReaderLimit["unit"], (text: string) => number>>;

/** How much of a limit a reading takes, without the client's own words around it. */
export function usedOf(
  { texts }: Reading,
  { unit, of, takenByText = 0 }: ReaderLimit,
  { joins }: Reader,
  sizes: TextSizes,
): number {
  const used = texts.map(sizes[unit]);
  if (of === "text") return Math.max(0, ...used);
  const gap = joins === "apart" ? 1 : joins.length;
  const joint = { tokens: 0, lines: Math.max(0, gap - 1), characters: gap, bytes: gap }[unit];
  const around = takenByText * texts.length + joint * Math.max(0, texts.length - 1);
  return used.reduce((sum, size) => sum + size, around);
}

/** The limits that count for a result: some clients show failures whole, and some cut them sooner. */
export function limitsFor({ isError }: JsonObject, { limits }: Reader): readonly ReaderLimit[] {
  return limits.filter((limit) => countsFor(limit, isError === true));
}

/** As editors count: a line end at the end of the text starts another line. */
export function countLines(text: string): number {
  return countLineEnds(text) + 1;
}

/** Such as "2 × resource_link, audio". */
export function sayBlocks(blocks: readonly JsonObject[]): string {
  const kinds = blocks.map(({ type }) => (typeof type === "string" ? type : "block"));
  return [...new Set(kinds)]
    .map((kind) => {
      const amount = kinds.filter((each) => each === kind).length;
      return amount === 1 ? kind : `${amount} × ${kind}`;
    })
    .join(", ");
}
