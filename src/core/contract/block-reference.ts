// A content block carries the bytes of an image, a sound or a file. Many servers write the same bytes into the
// structure once more, because its schema repeats the content. When there is no room for that copy, a short text names
// the block that has the bytes: nothing is lost, so nothing counts as cut. A client that reads the result puts the copy
// back.

import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";

/**
 * The bytes of a block as base64: of an image, a sound or an embedded resource. In a block of any other type, a field
 * of the same name may hold anything.
 */
export function base64In({ type, data, resource }: JsonObject): string | undefined {
  const held =
    type === "image" || type === "audio"
      ? data
      : type === "resource" && isJsonObject(resource)
        ? resource["blob"]
        : undefined;
  return typeof held === "string" ? held : undefined;
}

/** The number of bytes that a base64 text encodes. */
export function base64Bytes(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

/** The bytes of a block, and the text that replaces them elsewhere. */
interface Referenced {
  readonly base64: string;
  readonly reference: string;
}

/**
 * The bytes in blocks, each with its reference: `[image 1 of this result: image/png, 92,586 bytes]`. Blocks are counted
 * separately for each type, because dialects differ in the other blocks they put around them.
 */
function referencedIn(blocks: readonly JsonObject[]): readonly Referenced[] {
  const counts = new Map<string, number>();
  return blocks.flatMap((block) => {
    const base64 = base64In(block);
    const { type } = block;
    if (base64 === undefined || typeof type !== "string") return [];
    const number = (counts.get(type) ?? 0) + 1;
    counts.set(type, number);
    const holder = type === "resource" && isJsonObject(block["resource"]) ? block["resource"] : block;
    const kind = typeof holder["mimeType"] === "string" ? `${holder["mimeType"]}, ` : "";
    const bytes = base64Bytes(base64).toLocaleString("en-US");
    return [{ base64, reference: `[${type} ${number} of this result: ${kind}${bytes} bytes]` }];
  });
}

/** Where texts of the data may be replaced. A replacement may break what the tool's schema asks of a text. */
export interface TextPlaces {
  readonly canCutText: boolean;
  at(key: string | number): TextPlaces;
}

const anywhere: TextPlaces = { canCutText: true, at: () => anywhere };

/** The value with some texts replaced; the same object if it contains none of them. */
function replaceTexts(value: JsonValue, texts: ReadonlyMap<string, string>, place: TextPlaces): JsonValue {
  if (typeof value === "string") return place.canCutText ? (texts.get(value) ?? value) : value;
  if (typeof value !== "object" || value === null) return value;
  let isChanged = false;
  const replaced = (item: JsonValue, key: string | number): JsonValue => {
    const next = replaceTexts(item, texts, place.at(key));
    isChanged ||= next !== item;
    return next;
  };
  const changed = Array.isArray(value)
    ? (value as readonly JsonValue[]).map(replaced)
    : mapObject(value as JsonObject, replaced);
  return isChanged ? changed : value;
}

/** The data with references in place of bytes that blocks have; the same object if it has no copies of them. */
export function referToBlocks(
  data: JsonValue,
  blocks: readonly JsonObject[],
  places: () => TextPlaces = () => anywhere,
): JsonValue {
  const known = referencedIn(blocks).filter(({ base64, reference }) => base64.length > reference.length);
  if (known.length === 0) return data;
  // Of equal blocks the first is named.
  const references = new Map(known.toReversed().map(({ base64, reference }) => [base64, reference]));
  return replaceTexts(data, references, places());
}

/** The inverse of `referToBlocks`: puts back the bytes of every reference whose block is present. */
export function resolveReferences(data: JsonValue, blocks: readonly JsonObject[]): JsonValue {
  const known = referencedIn(blocks);
  if (known.length === 0) return data;
  return replaceTexts(data, new Map(known.map(({ base64, reference }) => [reference, base64])), anywhere);
}
