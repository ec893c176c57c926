// The answer to `limit: 0`: that the archive exists, what it holds, and until when. A text is described as a text, anything
// else by its lists.

import { countCodePoints, countLines } from "../../core/text/code-points.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { collectionsOf, mainCollection } from "../../core/json/main-collection.ts";
import { outlineOf } from "../../core/text/outline.ts";
import type { ArchiveEntry } from "../archive/archive-store.ts";
import { type PlacedText, onlyText } from "./question/find-text.ts";

const MAX_COLLECTIONS = 20;
/** A shorter text of one line, beside other values, is a value like those. */
const MIN_TEXT_LENGTH = 2_000;

/** `opened` has the records inside texts of JSON, because they can be found there; undefined for bytes. */
export function describeArchive(
  entry: ArchiveEntry,
  opened: JsonValue | undefined,
  fits: (data: JsonObject) => boolean,
): JsonObject {
  const lists = opened === undefined ? [] : collectionsOf(opened);
  const text = opened === undefined || lists.length > 0 ? undefined : describedText(opened);
  const about = {
    available: true,
    hash: `sha256:${entry.hash}`,
    bytes: entry.bytes,
    content_type: entry.contentType,
  };
  const expiry = { expires_at: new Date(clampTime(entry.expiresAtMs)).toISOString() };
  if (text !== undefined) return describeText(text, (said) => ({ ...about, ...said, ...expiry }), fits);
  return {
    ...about,
    items: opened === undefined ? 0 : (mainCollection(opened)?.items.length ?? 0),
    collections: lists
      .sort((a, b) => b.items.length - a.items.length)
      .slice(0, MAX_COLLECTIONS)
      .map(({ pointer, items }) => ({ pointer, count: items.length })),
    ...expiry,
  };
}

function describedText(opened: JsonValue): PlacedText | undefined {
  const found = onlyText(opened);
  if (found === undefined || found.text === "") return undefined;
  const isLong = found.text.includes("\n") || found.text.length >= MIN_TEXT_LENGTH;
  return isLong || typeof opened === "string" ? found : undefined;
}

function describeText(
  { pointer, text }: PlacedText,
  frame: (said: JsonObject) => JsonObject,
  fits: (data: JsonObject) => boolean,
): JsonObject {
  const lines = countLines(text);
  const { kind, lines: found } = outlineOf(text, lines);
  let outline = found;
  const said = {
    ...(pointer === "" ? {} : { pointer }),
    ...(kind === undefined ? {} : { form: kind }),
    lines,
    characters: countCodePoints(text),
  };
  const framed = (): JsonObject =>
    frame({ ...said, outline: outline.map((each): JsonObject => ({ line: each.line, text: each.text })) });
  // Half of the lines still say what all of the text is about.
  while (outline.length > 0 && !fits(framed())) outline = outline.filter((_, index) => index % 2 === 1);
  return framed();
}

// A store without expiry may say Infinity, which is not a date.
function clampTime(timeMs: number): number {
  return Math.min(timeMs, Date.UTC(9999, 11, 31));
}
