import { ContractError } from "../../../core/contract/contract-error.ts";
import { assertJson } from "../../../core/contract/note-options.ts";
import { stableStringify } from "../../../core/json/canonical-json.ts";
import { decodeUtf8 } from "../../../core/json/decode-utf8.ts";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { type MaybePromise, chain } from "../../../core/pipeline/maybe-promise.ts";
import { fromBase64url, toBase64url } from "./base64url.ts";
import {
  DEFAULT_EXPIRY_DAYS,
  type DecodeCursorOptions,
  type EncodeCursorOptions,
  MAX_CURSOR_LENGTH,
  type SignedCursorOptions,
  toKeyRing,
} from "./cursor-options.ts";
import { decodePlainCursor, encodePlainCursor } from "./plain-cursor.ts";
import { refuseCursor } from "./refuse-cursor.ts";
import { SIGNED_VERSION, cursorMac, equalMacs, packBody, toDay, unpackSigned } from "./signed-cursor.ts";

const MAX_EXPIRY_DAYS = 36_500;

function expiryDayOf({ expiresInDays = DEFAULT_EXPIRY_DAYS, now }: SignedCursorOptions): number {
  if (Number.isInteger(expiresInDays) && expiresInDays >= 1 && expiresInDays <= MAX_EXPIRY_DAYS) {
    return toDay(now) + expiresInDays;
  }
  const message = `expiresInDays is ${expiresInDays}: give whole days from 1 to ${MAX_EXPIRY_DAYS}.`;
  throw new ContractError("INVALID_OPTION", message);
}

function encodeSignedCursor(position: JsonObject, options: SignedCursorOptions): MaybePromise<string> {
  const { current } = toKeyRing(options.keys);
  const body = packBody(current.id, expiryDayOf(options), stableStringify(position));
  return chain(cursorMac(current.secret, body, options), (mac) => {
    const bytes = new Uint8Array(body.length + mac.length);
    bytes.set(body);
    bytes.set(mac, body.length);
    return toBase64url(bytes);
  });
}

/**
 * An opaque, URL-safe cursor for a position. Equal input gives equal text within a UTC day.
 *
 * @example
 * await encodeCursor({ after: "task-20" }, { keys: secret, tool: "task_query", filters: { status: "open" } });
 */
export async function encodeCursor(position: JsonObject, options: EncodeCursorOptions): Promise<string> {
  return writeCursor(position, options);
}

/** The same, at once where the runtime can sign at once. */
export function writeCursor(position: JsonObject, options: EncodeCursorOptions): MaybePromise<string> {
  assertJson(position, "position");
  if (!isJsonObject(position)) {
    throw new ContractError("INVALID_OPTION", "A cursor's position is an object, such as { after: lastId }.");
  }
  const cursor =
    options?.format === "plain" ? encodePlainCursor(position) : encodeSignedCursor(position, options ?? {});
  return chain(cursor, assertLength);
}

function assertLength(cursor: string): string {
  if (cursor.length <= MAX_CURSOR_LENGTH) return cursor;
  const message = `The cursor has ${cursor.length} characters, over the limit of ${MAX_CURSOR_LENGTH}: `;
  throw new ContractError(
    "INVALID_OPTION",
    `${message}put only the sort key of the last item into the position.`,
  );
}

/** Base64 of every text that starts with `{`, as a plain cursor does, starts so; no signed one does. */
const PLAIN_START = "e";

function decodeSignedCursor(cursor: string, options: SignedCursorOptions): MaybePromise<JsonObject> {
  const ring = toKeyRing(options.keys);
  const bytes = fromBase64url(cursor);
  if (bytes === undefined) throw refuseCursor("malformed");
  if (bytes[0] !== SIGNED_VERSION) throw refuseCursor("version");
  const parts = unpackSigned(bytes);
  if (parts === undefined) throw refuseCursor("malformed");
  const secret = ring.secretOf(parts.keyId);
  if (secret === undefined) throw refuseCursor("unknown_key");
  return chain(cursorMac(secret, parts.body, options), (expected) => {
    if (!equalMacs(expected, parts.mac)) throw refuseCursor("signature");
    if (toDay(options.now) > parts.expiryDay) throw refuseCursor("expired");
    const payload = decodeUtf8(parts.payload);
    if (!payload.ok) throw refuseCursor("malformed");
    return JSON.parse(payload.text) as JsonObject;
  });
}

/** The position a cursor stands for. Anything but a living cursor of this very call throws INVALID_CURSOR. */
export async function decodeCursor(cursor: string, options: DecodeCursorOptions): Promise<JsonObject> {
  return readCursor(cursor, options);
}

/** The same, at once where the runtime can sign at once. */
export function readCursor(cursor: string, options: DecodeCursorOptions): MaybePromise<JsonObject> {
  // Callers in plain JavaScript hand over whatever a client sent.
  const given: unknown = cursor;
  if (given === undefined || given === null || given === "") throw refuseCursor("empty");
  if (typeof given !== "string") throw refuseCursor("malformed");
  if (given.length > MAX_CURSOR_LENGTH) throw refuseCursor("too_long");
  if (options?.format === "plain") return decodePlainCursor(given);
  if (!given.startsWith(PLAIN_START)) return decodeSignedCursor(given, options ?? {});
  toKeyRing(options?.keys);
  const position = decodePlainCursor(given);
  if (options.acceptUnsigned !== true) throw refuseCursor("signature");
  return position;
}
