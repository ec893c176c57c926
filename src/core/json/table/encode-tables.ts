import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../json-value.ts";
import { chooseColumns } from "./choose-columns.ts";
import { collectPlaces } from "./collect-places.ts";
import { type WriteCell, isShorter, layOut } from "./lay-out-table.ts";
import { MAX_DEPTH, TABLE, underMarker } from "./table-notation.ts";

/** The list as a table; undefined if it cannot be one, or would not be shorter where that is asked for. */
function writeTable(
  list: readonly JsonValue[],
  write: WriteCell,
  mustBeShorter: boolean,
): JsonObject | undefined {
  const places = collectPlaces(list);
  const columns = places && chooseColumns(places, list.length);
  if (columns === undefined) return undefined;
  const layout = layOut(columns, write);
  if (mustBeShorter && !isShorter(layout, columns, list.length)) return undefined;
  const { header, written } = layout;
  const absent = header.absent ?? null;
  const rows = list.map((_, row) =>
    written.map(({ cells, path }) => {
      const cell = cells[row];
      return cell === undefined ? absent : write(cell, path.length + 1);
    }),
  );
  return { [TABLE]: { ...header, rows } } as unknown as JsonObject;
}

function encodeList(list: readonly JsonValue[], depth: number): JsonValue {
  const mayBeTable = list.length > 1 && isJsonObject(list[0]);
  const table = mayBeTable ? writeTable(list, (cell, level) => encode(cell, depth + level), true) : undefined;
  if (table !== undefined) return table;
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] ?? null;
    const encoded = encode(item, depth + 1);
    if (encoded === item) continue;
    copy ??= [...list];
    copy[index] = encoded;
  }
  return copy ?? list;
}

function encodeObject(object: JsonObject, depth: number): JsonObject {
  // What looks like a table already is kept whole, so that decoding stops there.
  if (underMarker(object) !== undefined) return { [TABLE]: { literal: object } };
  let copy: Record<string, JsonValue> | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key] ?? null;
    const encoded = encode(value, depth + 1);
    if (encoded === value) continue;
    copy ??= { ...object };
    setOwn(copy, key, encoded);
  }
  return copy ?? object;
}

function encode(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  return Array.isArray(value) ? encodeList(value, depth) : encodeObject(value as JsonObject, depth);
}

/**
 * Writes every list of like objects as a table where that is shorter; without one it is the same value.
 * `decodeTables` gives a value with the same JSON text back.
 */
export function encodeTables(value: JsonValue): JsonValue {
  return encode(value, 1);
}

/** A list as a table also where that is not shorter, for rows that were one before; undefined if it cannot be one. */
export function writeRows(list: readonly JsonValue[]): JsonObject | undefined {
  return writeTable(list, (cell, level) => encode(cell, 1 + level), false);
}
