import { isTooDeep } from "../../../../core/json/find-non-json.ts";
import type { JsonObject } from "../../../../core/json/json-value.ts";
import type { Reader, ReaderLimit } from "../../../../core/readers/reader.ts";
import {
  type Reading,
  type ShownResult,
  type TextSizes,
  countLines,
  limitsFor,
  sayBlocks,
  shownResult,
  usedOf,
} from "../../../../core/readers/shown-result.ts";
import { type AnsweredCall, isStandIn, readableTexts } from "../../../../engine/call/answered-call.ts";
import { type ReaderChosenBy, readerChoice } from "../../../../engine/call/call-reader.ts";
import type { ToolCall } from "../../../../engine/call/called-tool.ts";
import { hasSchema } from "../../../../engine/call/tool-schemas.ts";

/** What is kept of the reader behind a call, whether bodies are kept or not: no word of the result is in it. */
export interface KeptReader {
  readonly row: Reader;
  readonly chosenBy: ReaderChosenBy;
  /** What the client calls itself, not masked. */
  readonly client: string | undefined;
  /** The tool has an output schema. */
  readonly isTyped: boolean;
  /** What was changed for this reader, as sentences. */
  readonly changes: readonly string[];
  /** Undefined for a result that is too long to be looked at again. */
  readonly shown: KeptShown | undefined;
}

interface KeptShown {
  /** The characters of what is counted as delivered, to estimate tokens by. */
  readonly readableChars: number;
  readonly readings: readonly KeptReading[];
  /** The blocks that the model does not get, by their kinds; empty if it gets all. */
  readonly dropped: string;
  readonly hasMeta: boolean;
}

export interface KeptReading {
  readonly channel: Reading["channel"];
  readonly chars: number;
  readonly limits: readonly UsedLimit[];
}

/** How much of a limit was used. A limit in tokens is not counted while calls pass. */
export interface UsedLimit {
  readonly limit: ReaderLimit;
  readonly used: number | undefined;
}

/** The longest result that is written out again to be measured. */
const MAX_MEASURED_CHARS = 512 * 1024;
const MAX_CLIENT_CHARS = 128;

const sizes: TextSizes = {
  tokens: () => 0,
  characters: ({ length }) => length,
  bytes: (text) => Buffer.byteLength(text),
  lines: countLines,
};

export function keepReader(call: ToolCall, answered: AnsweredCall): KeptReader {
  const { reader: row, chosenBy } = readerChoice(call);
  const { client } = call.request;
  const isTyped = hasSchema(call.tool);
  return {
    row,
    chosenBy,
    // A copy: a slice would keep the whole text in memory.
    client: client === undefined ? undefined : Buffer.from(client.slice(0, MAX_CLIENT_CHARS)).toString(),
    isTyped,
    changes: answered.changes?.() ?? [],
    shown: keepShown(answered.result, row, isTyped),
  };
}

function keepShown(result: JsonObject, row: Reader, isTyped: boolean): KeptShown | undefined {
  const readableChars = readableTexts(result).reduce((sum, { length }) => sum + length, 0);
  const isLong = isStandIn(result) || readableChars > MAX_MEASURED_CHARS;
  if (isLong || isTooDeep(result)) return undefined;
  const { readings, dropped } = shownResult(result, row, isTyped);
  return {
    readableChars,
    readings: readings.map((reading) => keepReading(reading, result, row)),
    dropped: sayBlocks(dropped),
    hasMeta: hasMeta(result, row, readings),
  };
}

function keepReading(reading: Reading, result: JsonObject, row: Reader): KeptReading {
  return {
    channel: reading.channel,
    chars: charsOf(reading, row),
    limits: limitsFor(result, row).map((limit) => ({
      limit,
      used: limit.unit === "tokens" ? undefined : usedOf(reading, limit, row, sizes),
    })),
  };
}

function charsOf({ texts }: Reading, { joins }: Reader): number {
  const joints = joins === "apart" ? 0 : joins.length * Math.max(0, texts.length - 1);
  return texts.reduce((sum, { length }) => sum + length, joints);
}

/** Whether the model gets `_meta` beside what it is shown; in the whole it is included. */
function hasMeta(
  { _meta: meta, isError }: JsonObject,
  { showsMeta }: Reader,
  readings: ShownResult["readings"],
): boolean {
  const isShown = showsMeta === "always" || (showsMeta === "failures" && isError === true);
  return meta !== undefined && isShown && readings.every(({ channel }) => channel !== "whole");
}
