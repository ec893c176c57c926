// What the model behind a call was given, as the page shows it: the facts from what was noted when the call ended, the
// texts and exact tokens from the delivered result, if that was kept whole.

import { type JsonObject, isJsonObject } from "../../../../core/json/json-value.ts";
import { failingsOf } from "../../../../core/readers/model-view.ts";
import { programReader } from "../../../../core/readers/readers.ts";
import { type Reading, separators, shownResult } from "../../../../core/readers/shown-result.ts";
import { bodyOf } from "../body.ts";
import type { Body, GivenLimit, GivenView, ReaderView } from "../protocol/result.ts";
import type { CallRow } from "../protocol/traffic.ts";
import type { KeptCall } from "../traffic/kept-calls.ts";
import type { KeptReader, KeptReading, UsedLimit } from "../traffic/kept-reader.ts";
import { keptWhole } from "./kept-parcel.ts";

/** A result has few blocks; a page does not draw thousands. */
const MAX_TEXTS = 50;
/** For JSON and English, where nothing of the call was counted. */
const USUAL_RATIO = 0.25;

export async function readerViewOf(kept: KeptCall, row: CallRow): Promise<ReaderView> {
  const { reader, upstream } = kept;
  const { row: client, shown } = reader;
  const { mask } = upstream.state;
  const result = keptWhole(kept.contents?.after);
  const whole = isJsonObject(result) && shown !== undefined ? result : undefined;
  return {
    name: client.name,
    id: client.id,
    chosenBy: reader.chosenBy,
    client: reader.client && mask(reader.client),
    views: await viewsOf(kept, row, whole),
    dropped: shown?.dropped || undefined,
    hasMeta: shown?.hasMeta ?? false,
    changes: reader.changes,
    failings: whole === undefined ? undefined : (await failingsIn(whole, kept)).map(mask),
  };
}

/** What still fails in the delivered result: not every habit of a client can be made up for. */
async function failingsIn(result: JsonObject, { reader, upstream }: KeptCall): Promise<readonly string[]> {
  // A program reads everything itself.
  if (reader.row.id === programReader.id) return [];
  const counter = await upstream.state.counter();
  const facts = { countTokens: (text: string): number => counter.count(text), isTyped: reader.isTyped };
  return failingsOf(result, reader.row, facts).map(({ says }) => says);
}

async function viewsOf(
  kept: KeptCall,
  row: CallRow,
  result: JsonObject | undefined,
): Promise<readonly GivenView[]> {
  const { row: client, shown, isTyped } = kept.reader;
  const readings = result === undefined ? [] : shownResult(result, client, isTyped).readings;
  const views = (shown?.readings ?? []).map(async (noted, index) => {
    const reading = readings[index];
    return reading === undefined ? estimatedView(noted, kept.reader, row) : countedView(noted, reading, kept);
  });
  return Promise.all(views);
}

/** Tokens by those of the delivered texts. */
function estimatedView(
  { channel, chars, limits }: KeptReading,
  { shown }: KeptReader,
  row: CallRow,
): GivenView {
  const { readableChars = 0 } = shown ?? {};
  const ratio = readableChars === 0 ? USUAL_RATIO : row.tokensOut / readableChars;
  const tokens = Math.round(chars * ratio);
  const isEstimated = !(row.isCounted && chars === readableChars);
  return {
    channel,
    tokens,
    isEstimated,
    limits: limits.map((used) => limitOf(used, { tokens, isEstimated })),
  };
}

async function countedView(
  { channel, limits }: KeptReading,
  { texts }: Reading,
  { reader, upstream }: KeptCall,
): Promise<GivenView> {
  const { joins } = reader.row;
  const isJoined = joins !== "apart" && texts.length > 1;
  const parts = isJoined ? [texts.join(joins)] : texts;
  const bodies: Body[] = [];
  for (const text of parts) bodies.push(await bodyOf(upstream.state, text));
  const tokens = bodies.reduce((sum, body) => sum + body.tokens, 0);
  const isEstimated = bodies.some((body) => body.isEstimated === true) || undefined;
  return {
    channel,
    tokens,
    isEstimated,
    limits: limits.map((used) => limitOf(used, { tokens, isEstimated })),
    joint: isJoined ? separators[joins] : undefined,
    texts: bodies.slice(0, MAX_TEXTS),
  };
}

function limitOf(
  { limit, used }: UsedLimit,
  { tokens, isEstimated }: Pick<GivenView, "tokens" | "isEstimated">,
): GivenLimit {
  return {
    unit: limit.unit,
    most: limit.most,
    used: used ?? tokens,
    isEstimated: used === undefined ? isEstimated : undefined,
    isOfText: limit.of === "text",
    taken: limit.taken ?? 0,
    keeps: limit.keeps,
  };
}
