// What the model behind a client would get of a result as it is: what it would lose, pay twice, or get cut.

import type { JsonObject } from "../json/json-value.ts";
import {
  DEAR_MIRROR,
  blocksOf,
  isMirror,
  structureOf,
  textOf,
  valueOutside,
  wordOutside,
} from "./facts-held.ts";
import { type Reader, type ReaderLimit, type ShownNow, shownOf } from "./reader.ts";

/**
 * What can go wrong behind the wire: the client's run ends, its own error hides the real one, blocks, values of the
 * structure or words of the texts are lost, a long text is paid twice, or the client cuts.
 */
export type FailingKind = "ends" | "hidden" | "blocks" | "structure" | "text" | "twice" | "cut";

export interface ReaderFailing {
  readonly kind: FailingKind;
  /** What happens, in words that follow "it". */
  readonly says: string;
  /** Of a cut: how much there is, and how much the client takes. */
  readonly over?: { readonly shown: number; readonly limit: ReaderLimit } | undefined;
}

export interface ViewFacts {
  readonly countTokens: (text: string) => number;
  /** The tool has an output schema. */
  readonly isTyped: boolean;
  /** The structure does not fit it, or a success has none. */
  readonly breaksSchema?: boolean | undefined;
}

/** What fails if this reader is given this result; empty if its model gets every fact once. */
export function failingsOf(result: JsonObject, reader: Reader, facts: ViewFacts): readonly ReaderFailing[] {
  const blocks = blocksOf(result);
  // Content that MCP does not allow: its client decides about it.
  if (blocks === undefined) return [];
  const isError = result["isError"] === true;
  const ending = blocks.filter(({ type }) => reader.failsOn.some((kind) => kind === type));
  if (ending.length > 0) return [{ kind: "ends", says: `ends its run at ${sayBlocks(ending)}` }];
  const isHidden = isError ? reader.hidesBrokenFailures : reader.hidesBrokenSuccesses;
  if (facts.breaksSchema === true && isHidden) {
    const what = isError ? "failure" : "result";
    return [{ kind: "hidden", says: `says that the schema is broken, and nothing of the ${what}` }];
  }
  const view = viewOf(result, blocks, reader, facts);
  return [...lostIn(view, reader), ...paidTwiceIn(view, reader), ...cutIn(view, reader, isError, facts)];
}

interface View {
  readonly result: JsonObject;
  readonly shown: ShownNow;
  readonly blocks: readonly JsonObject[];
  readonly structure: JsonObject | undefined;
  readonly dropped: readonly JsonObject[];
  /** What the model reads; for a client of which only one channel is known to be shown, either of them. */
  readonly readings: readonly (readonly string[])[];
}

function viewOf(
  result: JsonObject,
  blocks: readonly JsonObject[],
  reader: Reader,
  { isTyped }: ViewFacts,
): View {
  const structure = structureOf(result);
  const shown = shownOf(result["isError"] === true ? reader.failure : reader.success, blocks, isTyped);
  const dropped = blocks.filter(({ type }) => reader.drops.some((kind) => kind === type));
  const kept = blocks.filter((block) => !dropped.includes(block));
  const texts = kept.map((block) =>
    block["type"] === "text" ? textOf(block) : JSON.stringify(named(block)),
  );
  const json = structure === undefined ? [] : [JSON.stringify(structure)];
  const bare = blocks.length === 0 && reader.showsBareStructure ? json : texts;
  const own = json.length === 0 ? texts : json;
  const readings: Readonly<Record<ShownNow, readonly (readonly string[])[]>> = {
    blocks: [bare],
    structure: [own],
    either: [bare, own],
    both: [reader.showsMirrorOnce === true && texts[0] === json[0] ? texts : [...texts, ...json]],
    whole: [[JSON.stringify(result)]],
  };
  return { result, shown, blocks, structure, dropped, readings: readings[shown] };
}

/** The bytes of a picture or a sound are not read as text. */
function named({ data: _data, ...block }: JsonObject): JsonObject {
  return block;
}

function lostIn({ shown, blocks, structure, dropped }: View, reader: Reader): readonly ReaderFailing[] {
  const failings: ReaderFailing[] = [];
  const hasStructure = structure !== undefined;
  const isStructureAlone = hasStructure && (shown === "structure" || shown === "either");
  if (isStructureAlone) {
    const word = wordOutside(structure, blocks);
    const others = blocks.filter(({ type }) => type !== "text");
    if (word !== undefined)
      failings.push({
        kind: "text",
        says: `${channelOf(shown, "structure")}, without ${quote(word)} of the texts`,
      });
    if (others.length > 0)
      failings.push({
        kind: "blocks",
        says: `${channelOf(shown, "structure")}, without ${sayBlocks(others)}`,
      });
  }
  if (hasStructure && (shown === "blocks" || shown === "either") && !isBareShown(blocks, reader)) {
    const isMirrored = blocks.some((block) => isMirror(block, structure));
    const value = isMirrored ? undefined : valueOutside(blocks.map(textOf).join("\n"), structure);
    if (value !== undefined)
      failings.push({
        kind: "structure",
        says: `${channelOf(shown, "blocks")}, without ${quote(value)} of the structure`,
      });
  }
  if (dropped.length > 0 && !isStructureAlone)
    failings.push({ kind: "blocks", says: `does not show its model ${sayBlocks(dropped)}` });
  return failings;
}

function isBareShown(blocks: readonly JsonObject[], reader: Reader): boolean {
  return blocks.length === 0 && reader.showsBareStructure;
}

function channelOf(shown: ShownNow, channel: "blocks" | "structure"): string {
  return `${shown === "either" ? "may show" : "shows"} its model the ${channel} alone`;
}

const MAX_QUOTE = 40;

function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text);
}

/** Such as "2 × resource_link, audio". */
function sayBlocks(blocks: readonly JsonObject[]): string {
  const kinds = [...new Set(blocks.map(({ type }) => (typeof type === "string" ? type : "block")))];
  return kinds
    .map((kind) => {
      const amount = blocks.filter(({ type }) => (type ?? "block") === kind).length;
      return amount === 1 ? kind : `${amount} × ${kind}`;
    })
    .join(", ");
}

function paidTwiceIn({ shown, blocks, structure }: View, reader: Reader): readonly ReaderFailing[] {
  if (structure === undefined || (shown !== "both" && shown !== "whole")) return [];
  const again = blocks.filter((block) => repeats(block, structure)).map(textOf);
  const text = again.join("\n");
  if (text.length < DEAR_MIRROR) return [];
  if (shown === "both" && reader.showsMirrorOnce === true && text === JSON.stringify(structure)) return [];
  return [
    {
      kind: "twice",
      says: `shows its model the same ${count(text.length)} characters as text and as structure`,
    },
  ];
}

/** Whether a text says what the structure says, as its JSON or as one of its values. */
function repeats(block: JsonObject, structure: JsonObject): boolean {
  return (
    isMirror(block, structure) || (textOf(block) !== "" && Object.values(structure).includes(textOf(block)))
  );
}

function cutIn(
  { result, readings }: View,
  { limits }: Reader,
  isError: boolean,
  { countTokens }: ViewFacts,
): readonly ReaderFailing[] {
  const sizes = { tokens: countTokens, ...textSizes };
  for (const limit of limits) {
    if (isError && limit.sparesFailures === true) continue;
    const sizeOf = sizes[limit.unit];
    const read = limit.of === "line" ? [[JSON.stringify(result)]] : readings;
    const shown = Math.max(0, ...read.map((texts) => sizeIn(texts, limit, sizeOf)));
    if (shown <= limit.most) continue;
    return [{ kind: "cut", says: sayCut(shown, limit, readings), over: { shown, limit } }];
  }
  return [];
}

function sizeIn(texts: readonly string[], { of }: ReaderLimit, sizeOf: (text: string) => number): number {
  const sizes = texts.map(sizeOf);
  return of === "text" ? Math.max(0, ...sizes) : sizes.reduce((sum, size) => sum + size, 0);
}

const encoder = new TextEncoder();

const textSizes = {
  bytes: (text: string): number => encoder.encode(text).byteLength,
  characters: (text: string): number => text.length,
  lines: (text: string): number => text.split("\n").length,
};

function sayCut(shown: number, { most, unit, keeps }: ReaderLimit, readings: View["readings"]): string {
  const size = `${count(shown)} ${unit}`;
  if (keeps === "nothing") return `fails at a message of ${size}, more than ${count(most)}`;
  if (keeps === "a file")
    return `writes ${size} to a file: its model gets the beginning, at most ${count(most)}`;
  const isOneLine =
    keeps === "whole lines" && readings.some(([text = ""]) => textSizes.bytes(firstLine(text)) > most);
  if (isOneLine && unit !== "lines")
    return `cuts ${size} by whole lines: the first is too long, so its model gets nothing`;
  return `cuts ${size} to ${count(most)} and keeps ${keeps}`;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function count(amount: number): string {
  return amount.toLocaleString("en-US");
}
