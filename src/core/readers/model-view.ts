// What the model behind a client would get of a result as it is: what it would lose, pay twice, or get cut.

import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { DEAR_MIRROR, blocksOf, factOutside, StructureFacts, structureOf, textOf } from "./facts-held.ts";
import { PartsOf } from "./parts-of.ts";
import type { Reader, ReaderLimit, ShownNow } from "./reader.ts";
import {
  type Reading,
  type ShownResult,
  type TextSizes,
  countLines,
  limitsFor,
  sayBlocks,
  shownResult,
  usedOf,
} from "./shown-result.ts";

/**
 * What can go wrong behind the wire: the client's run ends, its own error hides the real one, blocks, values of the
 * structure or words of the texts are lost, a long text is paid twice, or the client cuts.
 */
export type FailingKind = "ends" | "hidden" | "blocks" | "structure" | "text" | "twice" | "cut";

export interface ReaderFailing {
  readonly kind: FailingKind;
  /** What happens, in words that follow "it". */
  readonly says: string;
  /** For a cut: how much there is, and how much the client takes. */
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
  const view = {
    ...shownResult(result, reader, facts.isTyped),
    blocks,
    structure: structureOf(result),
    isError,
  };
  return [...lostIn(view, reader), ...paidTwiceIn(view, reader), ...cutIn(view, reader, result, facts)];
}

interface View extends ShownResult {
  readonly blocks: readonly JsonObject[];
  readonly structure: JsonObject | undefined;
  readonly isError: boolean;
}

function lostIn(view: View, reader: Reader): readonly ReaderFailing[] {
  const { shown, blocks, structure, dropped, isError } = view;
  const failings: ReaderFailing[] = [];
  // A text that was cut here and its envelope say the same, each in its own words.
  const hasStructure = structure !== undefined && !isCutHere(blocks, structure);
  const facts = structure === undefined ? undefined : new StructureFacts(structure, isError);
  const isStructureAlone = hasStructure && (shown === "structure" || shown === "either");
  if (isStructureAlone) {
    const word = facts?.wordOutside(blocks);
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
  if (
    hasStructure &&
    facts !== undefined &&
    (shown === "blocks" || shown === "either") &&
    !isBareShown(blocks, reader)
  ) {
    const value = factOutside(blocks, facts);
    if (value !== undefined)
      failings.push({
        kind: "structure",
        says: `${channelOf(shown, "blocks")}, without ${quote(value)} of the structure`,
      });
  }
  if (dropped.length > 0 && !isStructureAlone)
    failings.push({ kind: "blocks", says: `does not show its model ${sayBlocks(dropped)}` });
  const uri = isStructureAlone || shown === "whole" ? undefined : hiddenUri(blocks, reader);
  if (uri !== undefined)
    failings.push({
      kind: "blocks",
      says: `does not show its model the address ${quote(uri)} of an embedded text`,
    });
  return failings;
}

/** The address of an embedded text, if the model gets the text alone. */
function hiddenUri(blocks: readonly JsonObject[], { hidesUris }: Reader): string | undefined {
  if (hidesUris !== true) return undefined;
  const texts = new PartsOf(blocks.map(textOf).join("\n"));
  const addresses = blocks.map(({ resource }) =>
    isJsonObject(resource) && typeof resource["text"] === "string" ? resource["uri"] : undefined,
  );
  return addresses.find((uri): uri is string => typeof uri === "string" && !texts.has(uri));
}

/** The last line of a text that was cut here. */
const CLOSING =
  /^\s*(?:(?:`{3,}|~{3,})\n)?(?:\[[^\n]*\]\n)*\[[^\n]*; the (?:rest|first (?:\d+ )?of \d+ gaps): \S+ \{[^\n]*\}\]$/;

function isCutHere(blocks: readonly JsonObject[], { success }: JsonObject): boolean {
  return typeof success === "boolean" && blocks.some((block) => CLOSING.test(textOf(block)));
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

function paidTwiceIn({ shown, blocks, structure }: View, reader: Reader): readonly ReaderFailing[] {
  if (structure === undefined || (shown !== "both" && shown !== "whole")) return [];
  const facts = new StructureFacts(structure);
  const again = blocks.filter((block) => facts.repeatIn(block) !== undefined).map(textOf);
  const text = again.join("\n");
  if (text.length < DEAR_MIRROR) return [];
  if (shown === "both" && reader.showsMirrorOnce === true && text === facts.json) return [];
  return [
    {
      kind: "twice",
      says: `shows its model the same ${count(text.length)} characters as text and as structure`,
    },
  ];
}

function cutIn(
  { readings }: View,
  reader: Reader,
  result: JsonObject,
  { countTokens }: ViewFacts,
): readonly ReaderFailing[] {
  const sizes: TextSizes = { tokens: countTokens, ...textSizes };
  for (const limit of limitsFor(result, reader)) {
    const used =
      limit.of === "line"
        ? [sizes[limit.unit](JSON.stringify(result))]
        : readings.map((reading) => usedOf(reading, limit, reader, sizes));
    const shown = Math.max(0, ...used);
    if (shown <= limit.most) continue;
    return [{ kind: "cut", says: sayCut(shown, limit, readings), over: { shown, limit } }];
  }
  return [];
}

const encoder = new TextEncoder();

const textSizes = {
  bytes: (text: string): number => encoder.encode(text).byteLength,
  characters: ({ length }: string): number => length,
  lines: countLines,
};

function sayCut(shown: number, { most, unit, keeps }: ReaderLimit, readings: readonly Reading[]): string {
  const size = `${count(shown)} ${unit}`;
  if (keeps === "nothing") return `fails at a message of ${size}, more than ${count(most)}`;
  if (keeps === "a file")
    return `writes ${size} to a file: its model gets the beginning, at most ${count(most)}`;
  const isOneLine =
    keeps === "whole lines" &&
    readings.some(({ texts: [text = ""] }) => textSizes.bytes(firstLine(text)) > most);
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
