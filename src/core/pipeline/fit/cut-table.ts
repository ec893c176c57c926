// A table that loses rows keeps its header, which is needed to read the rest. If the header is most of the table, as
// with wide records, the kept rows are rewritten as a table of their own, which needs less header.

import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { decodeTables } from "../../json/table/decode-tables.ts";
import { writeRows } from "../../json/table/encode-tables.ts";
import type { TableForm } from "../../json/table/choose-columns.ts";
import { TABLE } from "../../json/table/table-notation.ts";
import type { CutPiece, CutPlace } from "./cut-place.ts";
import { runsWithout } from "./omission.ts";
import type { TextWeigher } from "./weigh-parcel.ts";

export interface Ranking {
  readonly order: readonly number[];
  /** No item matches: items are kept by their places alone, without gaps between those of an end. */
  readonly isByPlace: boolean;
}

export interface TableTools {
  readonly gauge: TextWeigher;
  /** The places of an array's items in the order in which they are kept; undefined keeps the head. */
  readonly rank: ((items: readonly JsonValue[]) => Ranking | undefined) | undefined;
}

/** A header that takes less of the room than this is not worth rewriting. */
const HEAVY_SHARE = 1 / 3;
/** How often rows are written to find how many fit, and which share of the room is good enough. */
const MAX_TRIES = 8;
const GOOD_SHARE = 0.9;
const FIRST_GUESS = 4;

/** The rows of a table as a list, and the form they came in. */
interface Rows {
  readonly list: readonly JsonValue[];
  readonly form: TableForm;
}

interface KeptRows {
  readonly count: number;
  readonly places: readonly number[];
  readonly value: JsonValue;
  readonly weight: number;
}

function rowsIn(table: JsonValue | undefined): number {
  const inner = isJsonObject(table) ? table[TABLE] : undefined;
  const rows = isJsonObject(inner) ? inner["rows"] : undefined;
  return Array.isArray(rows) ? rows.length : 0;
}

/** The form in which a table was written. A dense one that states nothing once is also a plain one. */
function formOf(table: JsonObject): TableForm {
  const inner = table[TABLE];
  const isDense = isJsonObject(inner) && ("positions" in inner || "objects" in inner);
  return isDense ? "dense" : "plain";
}

function isHeavy(table: JsonObject, room: number, { gauge }: TableTools): boolean {
  const inner = table[TABLE];
  const header = JSON.stringify({ [TABLE]: isJsonObject(inner) ? { ...inner, rows: [] } : null });
  return gauge.weigh(header, room) > room * HEAVY_SHARE;
}

/** The first rows, or the best ones, in their original order. */
function keep(
  { list, form }: Rows,
  order: readonly number[] | undefined,
  count: number,
  room: number,
  { gauge }: TableTools,
): KeptRows {
  const places =
    order?.slice(0, count).sort((a, b) => a - b) ?? Array.from({ length: count }, (_, place) => place);
  const value = writeRows(
    places.map((place) => list[place] ?? null),
    form,
  );
  const weight = value === undefined ? room + 1 : gauge.weigh(JSON.stringify(value), room);
  return { count, places, value: value ?? null, weight };
}

/** As many rows as fit, or nearly; the weight of each attempt decides how many rows to try next. */
function keepRows(rows: Rows, room: number, tools: TableTools): KeptRows | undefined {
  const { list } = rows;
  const order = tools.rank?.(list)?.order;
  let best: KeptRows | undefined;
  let over = (order ?? list).length + 1;
  let guess = FIRST_GUESS;
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const least = (best?.count ?? 0) + 1;
    if (least >= over) break;
    const kept = keep(rows, order, Math.min(Math.max(guess, least), over - 1), room, tools);
    if (kept.weight > room) {
      over = kept.count;
      guess = Math.floor((least + over) / 2);
      continue;
    }
    const before = best ?? { count: 0, weight: 0 };
    const each = Math.max(1, (kept.weight - before.weight) / (kept.count - before.count));
    guess = kept.count + Math.floor((room - kept.weight) / each);
    best = kept;
    if (kept.weight >= room * GOOD_SHARE) break;
  }
  return best;
}

/** A table without rows, so that the values beside the table are not lost with it. */
function keepNone({ gauge }: TableTools): KeptRows {
  const value = writeRows([], "plain") ?? [];
  return { count: 0, places: [], value, weight: gauge.weigh(JSON.stringify(value)) };
}

/** The table with fewer rows: under its own header, or rewritten if more rows fit that way. */
export function cutTable(
  table: JsonObject,
  room: number,
  { pointer, name, elasticity }: CutPlace,
  tools: TableTools,
  inPlace: CutPiece | undefined,
): CutPiece | undefined {
  if (!elasticity.canDropItems || (inPlace !== undefined && !isHeavy(table, room, tools))) return inPlace;
  const list = decodeTables(table);
  if (!Array.isArray(list)) return inPlace;
  const items = list as readonly JsonValue[];
  const kept = keepRows({ list: items, form: formOf(table) }, room, tools);
  if (inPlace !== undefined && (kept?.count ?? 0) <= rowsIn(inPlace.value)) return inPlace;
  // If the result is only a table, a summary says more than a table without rows.
  if (kept === undefined && pointer === "") return undefined;
  const { value, weight, places } = kept ?? keepNone(tools);
  if (weight > room) return undefined;
  const runs = runsWithout(places, items.length);
  return {
    value,
    weight,
    omissions: runs.length === 0 ? [] : [{ kind: "items", pointer, name, items, runs }],
  };
}
