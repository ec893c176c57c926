import { type JsonValue, isJsonObject } from "../../src/core/json/json-value.ts";
import { appendPointer } from "../../src/core/json/pointer.ts";
import { jsonEqual } from "../../src/core/json/canonical-json.ts";

/** Something of the whole that a cut does not have: an item's place, or the rest of a text. */
export interface Missing {
  readonly pointer: string;
  readonly item: JsonValue;
  readonly isText: boolean;
}

/** Whether a kept text is an honest part of the whole one. */
type IsPart = (kept: string, whole: string) => boolean;

const isBeginning: IsPart = (kept, whole) => whole.startsWith(kept);

/** A gap: its lines or characters, perhaps with a count, between the ends of a code block that it cuts. */
const MARK =
  /\n?(?:(?:`{3,}|~{3,})\n)?\[… (?:lines? [\d-]+|characters [\d-]+)[^\]\n]*\]\n(?:(?:`{3,}|~{3,})[^\n]*\n)?/;

/** Pieces of the whole, word for word and in their order, with a mark in place of each gap between them. */
export const isMarkedPart: IsPart = (kept, whole) => {
  let from = 0;
  return kept.split(MARK).every((piece, turn) => {
    const at = whole.indexOf(piece, from);
    from = at + piece.length;
    return turn === 0 ? at === 0 : at >= 0;
  });
};

/**
 * What of `whole` is missing in `kept`, or undefined when `kept` is no honest part of it: keys must be the same,
 * items a subsequence in order, texts a beginning, or what `isPart` takes.
 */
export function missingFrom(
  kept: JsonValue,
  whole: JsonValue,
  pointer = "",
  isPart = isBeginning,
): Missing[] | undefined {
  if (jsonEqual(kept, whole)) return [];
  if (typeof kept === "string" && typeof whole === "string")
    return isPart(kept, whole) ? [{ pointer, item: whole, isText: true }] : undefined;
  if (Array.isArray(kept) && Array.isArray(whole)) return missingItems(kept, whole, pointer, isPart);
  if (!isJsonObject(kept) || !isJsonObject(whole)) return undefined;
  const keys = Object.keys(whole);
  if (keys.join("\n") !== Object.keys(kept).join("\n")) return undefined;
  const found: Missing[] = [];
  for (const key of keys) {
    const inner = missingFrom(kept[key] ?? null, whole[key] ?? null, appendPointer(pointer, key), isPart);
    if (inner === undefined) return undefined;
    found.push(...inner);
  }
  return found;
}

function missingItems(
  kept: readonly JsonValue[],
  whole: readonly JsonValue[],
  pointer: string,
  isPart: IsPart,
): Missing[] | undefined {
  const found: Missing[] = [];
  let next = 0;
  for (const [index, item] of whole.entries()) {
    const candidate = kept[next];
    const inner =
      next < kept.length
        ? missingFrom(candidate ?? null, item, appendPointer(pointer, index), isPart)
        : undefined;
    if (inner === undefined) found.push({ pointer: appendPointer(pointer, index), item, isText: false });
    else {
      found.push(...inner);
      next++;
    }
  }
  return next === kept.length ? found : undefined;
}

const RANGE = /^(.*)\/(\d+)\.\.(\d+)$/;

/** Whether a name of `dropped_content_ids` covers something that is missing. */
export function covers(name: string, { pointer, item, isText }: Missing): boolean {
  if (isText) return name.startsWith(`${pointer}#char=`) || isUnder(name, pointer);
  if (name === pointer || isUnder(name, pointer)) return true;
  const range = RANGE.exec(name);
  const at = pointer.lastIndexOf("/");
  if (range !== null && range[1] === pointer.slice(0, at)) {
    const index = Number(pointer.slice(at + 1));
    return Number(range[2]) <= index && index <= Number(range[3]);
  }
  if (name.startsWith("/") || !isJsonObject(item)) return false;
  return Object.values(item).some((value) => value === name || JSON.stringify(value) === name);
}

function isUnder(name: string, pointer: string): boolean {
  return name.endsWith("/*") && pointer.startsWith(name.slice(0, -1));
}
