// The level `partial`: lists lose items, long texts lose their end; nothing else changes, so the schema still holds.
// Every function here returns undefined if the value cannot be made small enough that way.

import { countCodePoints, countLines } from "../../text/code-points.ts";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../json/json-value.ts";
import { isTable } from "../../json/table/decode-tables.ts";
import { type CutPiece, type CutPlace, elastic, placeIn, skeletonText, tablePlace } from "./cut-place.ts";
import { type Ranking, type TableTools, cutTable } from "./cut-table.ts";
import { type KnownPage, cutPage } from "./cut-page.ts";
import { cutText, looksEncoded, looksLikeJson, partWeigher } from "./cut-text.ts";
import { isDigestValue, shorterDigests } from "./digest-source.ts";
import { keepForm } from "./keep-form.ts";
import { keepLines } from "./keep-lines.ts";
import type { KnownText } from "./known-text.ts";
import { type Omission, type OmittedText, runsWithout } from "./omission.ts";
import { isElastic, isShorter, weighWhole, MAX_TOKEN_BYTES } from "./weigh-parcel.ts";
import { jsonLengthAtLeast } from "../../json/json-chunks.ts";

/** The least and the whole weight of one of several values that share a room. */
interface Claim {
  readonly floor: number;
  readonly demand: number;
}

/**
 * Shares the room: each part gets its minimum, small parts get all they need, and the rest is split evenly among the
 * large. Undefined if there is no room for the minimums.
 */
export function shareRoom(claims: readonly Claim[], room: number): number[] | undefined {
  const shares = claims.map(({ floor }) => floor);
  let left = room - shares.reduce((sum, share) => sum + share, 0);
  if (left < 0) return undefined;
  const wants = claims
    .map(({ floor, demand }, index) => ({ index, want: Math.max(0, demand - floor) }))
    .sort((a, b) => a.want - b.want);
  for (const [place, { index, want }] of wants.entries()) {
    const share = Math.min(want, Math.floor(left / (wants.length - place)));
    shares[index] = (shares[index] ?? 0) + share;
    left -= share;
  }
  return shares;
}

export interface CutTools extends TableTools {
  /** The value is one text, sent without quotes and escapes. */
  readonly isBareText?: boolean | undefined;
  /** The place of the text that models read as text. */
  readonly textAt?: string | undefined;
  /** A text also keeps its last lines, and those that match these words; undefined keeps its beginning. */
  readonly words?: string | undefined;
  readonly known: KnownText;
  /** The web pages in the data, by their sources. */
  readonly pages?: ReadonlyMap<string, KnownPage> | undefined;
}

/** A text this many times longer than the room almost never fits. */
const LONG_FACTOR = 6;

/** The value if it fits, else as much of it as fits. */
export function fitValue(
  value: JsonValue,
  room: number,
  place: CutPlace,
  tools: CutTools,
): CutPiece | undefined {
  // Cutting a long list, object or bare text shows whether it fits; counting it first would count it twice.
  const isBare = tools.isBareText === true && typeof value === "string";
  const isLong = (isBare || typeof value === "object") && !isShorter(value, room * LONG_FACTOR);
  if (isLong && (isBare || isElastic(value, place))) return cutValue(value, room, place, tools);
  const weight = isBare ? tools.gauge.weigh(value, room) : weighWhole(value, room, tools.gauge);
  return weight <= room ? { value, weight, omissions: [] } : cutValue(value, room, place, tools);
}

/** As much of a value as fits, which is all of it if a long value turns out to be light. */
function cutValue(value: JsonValue, room: number, place: CutPlace, tools: CutTools): CutPiece | undefined {
  // A text that is the whole result has no field beside it that would say more.
  if (tools.isBareText === true && typeof value === "string") return cutString(value, room, place, tools);
  if (!isElastic(value, place)) return undefined;
  if (isDigestValue(value)) return cutDigestValue(value, room, place, tools);
  if (isJsonObject(value) && isTable(value)) {
    const inPlace = cutObject(value, room, tablePlace(place), tools);
    return cutTable(value, room, place, tools, inPlace);
  }
  if (typeof value === "string") return cutString(value, room, place, tools);
  if (Array.isArray(value)) return cutArray(value, room, place, tools, cutValue);
  return isJsonObject(value) ? cutObject(value, room, place, tools) : undefined;
}

/** The longest form of a digest that fits; undefined if not even the shortest does. */
function cutDigestValue(
  value: JsonObject,
  room: number,
  place: CutPlace,
  { gauge }: CutTools,
): CutPiece | undefined {
  const { canCutText } = placeIn(place, "content").elasticity;
  if (typeof value["content"] === "string" && !canCutText) return undefined;
  for (const { value: shorter, omissions } of shorterDigests(value, place.pointer)) {
    const weight = gauge.weigh(JSON.stringify(shorter), room);
    if (weight <= room) return { value: shorter, weight, omissions };
  }
  return undefined;
}

function cutString(text: string, room: number, place: CutPlace, tools: CutTools): CutPiece | undefined {
  const { gauge, isBareText = false, known } = tools;
  const inner = isBareText ? undefined : cutJsonText(text, room, place, tools);
  if (inner !== undefined) return inner;
  const page = tools.pages?.get(text);
  const said = page === undefined ? undefined : cutToPage(text, page, room, place, tools);
  if (said !== undefined) return said;
  const { codePoints: total, lines } = known.lengthsOf(text);
  const { pointer } = place;
  const isOfLines = pointer === tools.textAt;
  const kept = keepPlaces(text, room, tools);
  const value = kept?.value ?? cutText(text, room, gauge, isBareText);
  if (value === undefined) return undefined;
  // A bare text shares its room with no other value, so its exact weight does not matter.
  const weight = isBareText ? room : gauge.weigh(JSON.stringify(value));
  if (value === text) return { value, weight, omissions: [] };
  const first = countLines(value) + 1;
  const beginning: Pick<OmittedText, "runs" | "lines"> & { readonly rest: readonly string[] } = {
    runs: [[countCodePoints(value), total]],
    rest: [text.slice(value.length)],
    lines: isOfLines && value.endsWith("\n") ? { runs: [[first, lines]], total: lines } : undefined,
  };
  const { runs, rest, lines: places } = kept ?? beginning;
  return { value, weight, omissions: [{ kind: "text", pointer, runs, total, rest, lines: places }] };
}

/** A web page as what it says; its source is missing as a whole, and the archive has both. */
function cutToPage(
  text: string,
  page: KnownPage,
  room: number,
  { pointer }: CutPlace,
  { gauge, isBareText = false, words = "" }: CutTools,
): CutPiece | undefined {
  const left = room - (isBareText ? 0 : gauge.weigh('""')) - 1;
  const kept = cutPage(page, left, {
    gauge,
    weigh: partWeigher(gauge, isBareText),
    words,
    isBare: isBareText,
  });
  if (kept === undefined) return undefined;
  const { value, page: missing } = kept;
  const total = countCodePoints(text);
  const weight = isBareText ? room : gauge.weigh(JSON.stringify(value));
  return {
    value,
    weight,
    omissions: [{ kind: "text", pointer, runs: [[0, total]], total, rest: [text], page: missing }],
  };
}

/** Lines from several places of a text; undefined if only its beginning is to be kept. */
function keepPlaces(text: string, room: number, tools: CutTools): ReturnType<typeof keepLines> {
  const { gauge, isBareText = false, words, known } = tools;
  if (words === undefined || looksLikeJson(text) || looksEncoded(text)) return undefined;
  const formed = known.formOf(text);
  const left = room - (isBareText ? 0 : gauge.weigh('""')) - 1;
  const lineTools = {
    weigh: partWeigher(gauge, isBareText),
    lengths: known.lengthsOf(text),
    ranked: () => known.passagesOf(text, words),
    blocks: known.blocksOf(text),
  };
  const kept = formed === undefined ? undefined : keepForm(text, left, { ...lineTools, ...formed });
  return kept ?? keepLines(text, left, lineTools);
}

/** How often a smaller room is tried: escapes take a share that is known only afterwards. */
const MAX_ESCAPE_TRIES = 6;

/**
 * JSON inside a text is cut as data, and written without spaces: the text stays JSON, and no object is cut in two.
 * Undefined if the text is no JSON, or cannot be made small enough that way.
 */
function cutJsonText(text: string, room: number, place: CutPlace, tools: CutTools): CutPiece | undefined {
  const { gauge, known } = tools;
  const whole = known.jsonIn(text);
  if (whole === undefined) return undefined;
  const inside = { ...place, elasticity: elastic };
  let left = room;
  for (let tries = 0; tries < MAX_ESCAPE_TRIES && left > 0; tries++) {
    const piece = fitValue(whole, left, inside, tools);
    if (piece === undefined) return undefined;
    const value = JSON.stringify(piece.value);
    const weight = gauge.weigh(JSON.stringify(value));
    // Nothing but spaces is missing, and the archive has them.
    const isDense = piece.omissions.length === 0 && value !== text;
    const omissions = isDense ? [{ kind: "part", id: place.pointer } as const] : piece.omissions;
    if (weight <= room) return { value, weight, omissions };
    // Large items leave much of a room unused: the next one must be smaller than what was kept in this.
    left = Math.floor(Math.min(left - 1, piece.weight - 1, (left * room) / weight));
  }
  return undefined;
}

type Member = readonly [key: string, value: JsonValue];

function cutObject(value: JsonObject, room: number, place: CutPlace, tools: CutTools): CutPiece | undefined {
  const { gauge } = tools;
  // The skeleton comes first: it is never longer than the room, so an object with more keys is not read to its end.
  const frame = skeletonText(value, place, room, (item, at) => (isElastic(item, at) ? "" : undefined));
  const frameWeight = frame === undefined ? room + 1 : gauge.weigh(frame, room);
  if (frameWeight > room) return undefined;
  const members: readonly Member[] = Object.entries(value);
  const open = members.filter(([key, item]) => isElastic(item, placeIn(place, key)));
  if (open.length === 0) return undefined;
  const shares = sharesOf(open, room - frameWeight, place, tools);
  if (shares === undefined) return undefined;
  return fillMembers(members, new Map(open.map(([key], index) => [key, shares[index] ?? 0])), place, {
    tools,
    frameWeight,
  });
}

/** A single member takes all the room; several share it by their least and whole weights. */
function sharesOf(
  open: readonly Member[],
  room: number,
  place: CutPlace,
  { gauge }: CutTools,
): readonly number[] | undefined {
  if (open.length === 1) return [room];
  const claims: Claim[] = [];
  let floors = 0;
  for (const [key, item] of open) {
    const frame = skeletonText(item, placeIn(place, key), room);
    const floor = frame === undefined ? room + 1 : gauge.weigh(frame, room);
    floors += floor;
    if (floors > room) return undefined;
    claims.push({ floor, demand: Math.min(weighWhole(item, room, gauge), room) });
  }
  return shareRoom(claims, room);
}

function fillMembers(
  members: readonly Member[],
  shares: ReadonlyMap<string, number>,
  place: CutPlace,
  { tools, frameWeight }: { readonly tools: CutTools; readonly frameWeight: number },
): CutPiece | undefined {
  const value: Record<string, JsonValue> = {};
  const omissions: Omission[] = [];
  let weight = frameWeight;
  for (const [key, item] of members) {
    const share = shares.get(key);
    const piece = share === undefined ? undefined : fitValue(item, share, placeIn(place, key), tools);
    if (share !== undefined && piece === undefined) return undefined;
    setOwn(value, key, piece === undefined ? item : piece.value);
    weight += piece?.weight ?? 0;
    for (const omission of piece?.omissions ?? []) omissions.push(omission);
  }
  return { value, weight, omissions };
}

/** If more than this share of the room is unused, a part of the next item is added. */
const WORTH_CUTTING_SHARE = 0.5;
/** How many items that are too large may be skipped before the ranking ends. */
const MAX_MISSES = 50;

/** The part of an array that is kept so far. */
interface Kept {
  readonly places: number[];
  readonly pieces: Map<number, CutPiece>;
  weight: number;
}

function weighItem(item: JsonValue, room: number, { gauge }: CutTools): number {
  const longest = Math.max(0, room) * MAX_TOKEN_BYTES;
  if (jsonLengthAtLeast(item, longest) > longest) return room + 1;
  return gauge.weigh(`${JSON.stringify(item)},`, room);
}

function keepHead(items: readonly JsonValue[], room: number, tools: CutTools, kept: Kept): void {
  for (const [index, item] of items.entries()) {
    const weight = weighItem(item, room - kept.weight, tools);
    if (kept.weight + weight > room) return;
    kept.places.push(index);
    kept.weight += weight;
  }
}

function keepBest(
  items: readonly JsonValue[],
  { order, isByPlace }: Ranking,
  room: number,
  tools: CutTools,
  kept: Kept,
): void {
  let misses = 0;
  const mostMisses = isByPlace ? 0 : MAX_MISSES;
  for (const index of order) {
    const weight = weighItem(items[index] ?? null, room - kept.weight, tools);
    if (kept.weight + weight <= room) {
      kept.places.push(index);
      kept.weight += weight;
    } else if (++misses > mostMisses) {
      break;
    }
  }
  kept.places.sort((a, b) => a - b);
}

/** The items that fit, in their order; if they leave much room unused, a part of the next item too. */
function cutArray(
  items: readonly JsonValue[],
  room: number,
  place: CutPlace,
  tools: CutTools,
  cutItem: typeof cutValue,
): CutPiece | undefined {
  const kept: Kept = { places: [], pieces: new Map(), weight: tools.gauge.weigh("[]") };
  if (kept.weight > room) return undefined;
  const ranked = tools.rank?.(items);
  if (ranked === undefined) keepHead(items, room, tools, kept);
  else keepBest(items, ranked, room, tools, kept);
  const places = new Set(kept.places);
  const next =
    ranked === undefined ? places.size : ranked.isByPlace ? firstOutside(places) : (ranked.order[0] ?? 0);
  const isOpen = !places.has(next) && next < items.length;
  if (isOpen && room - kept.weight > room * WORTH_CUTTING_SHARE) {
    const piece = cutItem(items[next] ?? null, room - kept.weight - 1, placeIn(place, next), tools);
    if (piece !== undefined) {
      kept.pieces.set(next, piece);
      kept.places.push(next);
      kept.places.sort((a, b) => a - b);
      kept.weight += piece.weight + 1;
    }
  }
  return toPiece(items, place, kept);
}

function firstOutside(places: ReadonlySet<number>): number {
  let first = 0;
  while (places.has(first)) first++;
  return first;
}

function toPiece(items: readonly JsonValue[], place: CutPlace, { places, pieces, weight }: Kept): CutPiece {
  const value = places.map((index) => pieces.get(index)?.value ?? items[index] ?? null);
  const inside = [...pieces.values()].flatMap(({ omissions }) => omissions);
  const runs = runsWithout(places, items.length);
  const { pointer, name } = place;
  const own: readonly Omission[] = runs.length > 0 ? [{ kind: "items", pointer, name, items, runs }] : [];
  return { value, weight, omissions: [...own, ...inside] };
}
