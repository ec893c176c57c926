import { jsonLengthAtLeast } from "../../json/json-chunks.ts";
import type { JsonValue } from "../../json/json-value.ts";
import type { CutTools, Piece, cutValue } from "./cut-value.ts";
import { MAX_TOKEN_BYTES } from "./weigh-text.ts";
import { type Omission, runsWithout } from "./omission.ts";
import { type CutPlace, placeIn } from "./cut-place.ts";

/** If more than this share of the room is unused, a part of the next item is added. */
const WORTH_CUTTING_SHARE = 0.5;
/** How many items that are too large may be skipped before the ranking ends. */
const MAX_MISSES = 50;

/** What of an array is kept so far. */
interface Kept {
  readonly places: number[];
  readonly pieces: Map<number, Piece>;
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
  ranked: readonly number[],
  room: number,
  tools: CutTools,
  kept: Kept,
): void {
  let misses = 0;
  for (const index of ranked) {
    const weight = weighItem(items[index] ?? null, room - kept.weight, tools);
    if (kept.weight + weight <= room) {
      kept.places.push(index);
      kept.weight += weight;
    } else if (++misses > MAX_MISSES) {
      break;
    }
  }
  kept.places.sort((a, b) => a - b);
}

/** Items that have room, in their order; where one leaves much unused, a part of the next. */
export function cutArray(
  items: readonly JsonValue[],
  room: number,
  place: CutPlace,
  tools: CutTools,
  cutItem: typeof cutValue,
): Piece | undefined {
  const kept: Kept = { places: [], pieces: new Map(), weight: tools.gauge.weigh("[]") };
  if (kept.weight > room) return undefined;
  const ranked = tools.rank?.(items);
  if (ranked === undefined) keepHead(items, room, tools, kept);
  else keepBest(items, ranked, room, tools, kept);
  const next = ranked === undefined ? kept.places.length : (ranked[0] ?? 0);
  const isOpen = !kept.places.includes(next) && next < items.length;
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

function toPiece(items: readonly JsonValue[], place: CutPlace, { places, pieces, weight }: Kept): Piece {
  const value = places.map((index) => pieces.get(index)?.value ?? items[index] ?? null);
  const inside = [...pieces.values()].flatMap(({ omissions }) => omissions);
  const runs = runsWithout(places, items.length);
  const { pointer, name } = place;
  const own: readonly Omission[] = runs.length > 0 ? [{ kind: "items", pointer, name, items, runs }] : [];
  return { value, weight, omissions: [...own, ...inside] };
}
