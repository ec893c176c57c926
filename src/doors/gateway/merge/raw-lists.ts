// Lists of several servers as one, from the bytes in which they came: an entry that is not renamed stays as it was
// written.

import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { elementsOf, memberSpans } from "../../../engine/transport/raw-message.ts";

/** One entry of a list. */
export interface RawEntry {
  readonly bytes: Buffer;
  readonly value: JsonObject;
}

export interface RawPage {
  readonly entries: readonly RawEntry[];
  readonly nextCursor: string | undefined;
}

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/** The entries of a response's list, and how the list goes on; undefined if it has no such list. */
export function readPage(response: Buffer, key: string): RawPage | undefined {
  const text = response.toString("latin1");
  const result = memberSpans(text).get("result");
  if (result === undefined || text.charCodeAt(result.start) !== OPEN_BRACE) return undefined;
  const members = memberSpans(text, result.start);
  const list = members.get(key);
  if (list === undefined || text.charCodeAt(list.start) !== OPEN_BRACKET) return undefined;
  const cursor = members.get("nextCursor");
  const next = cursor && jsonIn(response.toString("utf8", cursor.start, cursor.end));
  const entries = elementsOf(response.subarray(list.start, list.end)).flatMap((bytes) => {
    const value = jsonIn(bytes.toString());
    return isJsonObject(value) ? [{ bytes, value }] : [];
  });
  return { entries, nextCursor: typeof next === "string" ? next : undefined };
}

/** The entry under another name; everything else is unchanged. */
export function renamedEntry({ bytes, value }: RawEntry, name: string): Buffer {
  if (value["name"] === name) return bytes;
  const span = memberSpans(bytes.toString("latin1")).get("name");
  if (span === undefined) return bytes;
  return Buffer.concat([
    bytes.subarray(0, span.start),
    Buffer.from(JSON.stringify(name)),
    bytes.subarray(span.end),
  ]);
}

/** A response with this list; `more` is what else the result says. */
export function listResponse(
  rawId: string,
  key: string,
  entries: readonly Buffer[],
  more: JsonObject = {},
): Buffer {
  const rest = JSON.stringify(more).slice(1, -1);
  const parts: Buffer[] = [Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"result":{${JSON.stringify(key)}:[`)];
  for (const [at, entry] of entries.entries()) {
    if (at > 0) parts.push(Buffer.from(","));
    parts.push(entry);
  }
  parts.push(Buffer.from(`]${rest === "" ? "" : `,${rest}`}}}`));
  return Buffer.concat(parts);
}
