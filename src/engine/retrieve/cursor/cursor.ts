import { ContractError } from "../../../core/contract/contract-error.ts";
import { assertJson } from "../../../core/contract/note-options.ts";
import { stableStringify } from "../../../core/json/canonical-json.ts";
import { decodeUtf8 } from "../../../core/json/decode-utf8.ts";
import {
  type JsonObject,
  isJsonObject,
  type JsonValue,
  mapObject,
  setOwn,
  jsonIn,
} from "../../../core/json/json-value.ts";
import {
  type DecodeCursorOptions,
  type EncodeCursorOptions,
  type SignedCursorOptions,
  DEFAULT_EXPIRY_DAYS,
  MAX_CURSOR_LENGTH,
  refuseCursor,
  toKeyRing,
} from "./cursor-options.ts";
import { findNonJson } from "../../../core/json/find-non-json.ts";
import { fromBase64url, toBase64url } from "./base64url.ts";
import { MAC_BYTES, cursorMac, equalMacs } from "./cursor-mac.ts";

const encoder = new TextEncoder();

const MAX_EXPIRY_DAYS = 36_500;

function expiryDayOf({ expiresInDays = DEFAULT_EXPIRY_DAYS, now }: SignedCursorOptions): number {
  if (Number.isInteger(expiresInDays) && expiresInDays >= 1 && expiresInDays <= MAX_EXPIRY_DAYS) {
    return toDay(now) + expiresInDays;
  }
  const message = `expiresInDays is ${expiresInDays}: give whole days from 1 to ${MAX_EXPIRY_DAYS}.`;
  throw new ContractError("INVALID_OPTION", message);
}

/** A promise only where signing is one. */
function encodeSignedCursor(position: JsonObject, options: SignedCursorOptions): string | Promise<string> {
  const { current } = toKeyRing(options.keys);
  const bytes = packBody(current.id, expiryDayOf(options), stableStringify(position));
  const bodyLength = bytes.length - MAC_BYTES;
  const mac = cursorMac(current.secret, bytes.subarray(0, bodyLength), options);
  const finish = (made: Uint8Array): string => {
    bytes.set(made, bodyLength);
    return toBase64url(bytes);
  };
  return mac instanceof Promise ? mac.then(finish) : finish(mac);
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

/** The same without waiting, where signing need not wait. */
export function writeCursor(position: JsonObject, options: EncodeCursorOptions): string | Promise<string> {
  assertJson(position, "position");
  if (!isJsonObject(position)) {
    throw new ContractError("INVALID_OPTION", "A cursor's position is an object, such as { after: lastId }.");
  }
  if (options?.format === "plain") return assertShort(encodePlainCursor(position));
  const cursor = encodeSignedCursor(position, options ?? {});
  return cursor instanceof Promise ? cursor.then(assertShort) : assertShort(cursor);
}

function assertShort(cursor: string): string {
  if (cursor.length <= MAX_CURSOR_LENGTH) return cursor;
  const message = `The cursor has ${cursor.length} characters, over the limit of ${MAX_CURSOR_LENGTH}: `;
  throw new ContractError(
    "INVALID_OPTION",
    `${message}put only the sort key of the last item into the position.`,
  );
}

/**
 * Base64 of every text that starts with `{`, as a plain cursor does, starts with this letter; no signed
 * cursor does.
 */
const PLAIN_START = "e";

async function decodeSignedCursor(cursor: string, options: SignedCursorOptions): Promise<JsonObject> {
  const ring = toKeyRing(options.keys);
  const bytes = fromBase64url(cursor);
  if (bytes === undefined) throw refuseCursor("malformed");
  if (bytes[0] !== SIGNED_VERSION) throw refuseCursor("version");
  const parts = unpackSigned(bytes);
  if (parts === undefined) throw refuseCursor("malformed");
  const secret = ring.secretOf(parts.keyId);
  if (secret === undefined) throw refuseCursor("unknown_key");
  const mac = cursorMac(secret, parts.body, options);
  if (!equalMacs(mac instanceof Promise ? await mac : mac, parts.mac)) throw refuseCursor("signature");
  if (toDay(options.now) > parts.expiryDay) throw refuseCursor("expired");
  const payload = decodeUtf8(parts.payload);
  if (!payload.ok) throw refuseCursor("malformed");
  return JSON.parse(payload.text) as JsonObject;
}

/** The position in a cursor. Anything but an unexpired cursor of exactly this call throws INVALID_CURSOR. */
export async function decodeCursor(cursor: string, options: DecodeCursorOptions): Promise<JsonObject> {
  // Callers in plain JavaScript pass on whatever a client sent.
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

const PLAIN_VERSION = 1;

// The original also escapes DEL, although it is ASCII.
const notPrintable = /[\u007f-\uffff]/g;

function toAscii(json: string): string {
  return json.replace(notPrintable, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Seed 004's form, byte for byte: padded URL-safe base64 of ASCII JSON with `version: 1`, last or in its place. */
function encodePlainCursor(position: JsonObject): string {
  const versioned: Record<string, JsonValue> = {
    ...mapObject(position, (value, key) => (key === "version" ? PLAIN_VERSION : value)),
  };
  if (!Object.hasOwn(versioned, "version")) setOwn(versioned, "version", PLAIN_VERSION);
  const text = toBase64url(encoder.encode(toAscii(JSON.stringify(versioned))));
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}

function parse(text: string): JsonValue | undefined {
  const value = jsonIn(text);
  return findNonJson(value) === undefined ? value : undefined;
}

/**
 * The position in a plain cursor, without its version; stricter than the original, which skips what it cannot
 * parse.
 */
function decodePlainCursor(cursor: string): JsonObject {
  const bytes = cursor.length % 4 === 0 ? fromBase64url(cursor.replace(/={1,2}$/, "")) : undefined;
  const decoded = bytes === undefined ? undefined : decodeUtf8(bytes);
  const value = decoded?.ok === true ? parse(decoded.text) : undefined;
  if (value === undefined) throw refuseCursor("malformed");
  if (!isJsonObject(value)) throw refuseCursor("not_an_object");
  if (Object.hasOwn(value, "version") && value["version"] !== PLAIN_VERSION) throw refuseCursor("version");
  return mapObject(value, (item, key) => (key === "version" ? undefined : item));
}

const DAY_MS = 86_400_000;

/** Whole days since 1970, in UTC. */
function toDay(now: (() => Date) | undefined): number {
  return Math.floor((now?.() ?? new Date()).getTime() / DAY_MS);
}

/** First byte of a signed cursor. A plain one starts with `{`, so the two can never be confused. */
const SIGNED_VERSION = 1;

const EXPIRY_BYTES = 4;

interface SignedParts {
  readonly keyId: string;
  /** The last day, in whole days since 1970, on which the cursor works. */
  readonly expiryDay: number;
  readonly payload: Uint8Array;
}

/** Everything the MAC covers: version, length of the key id, key id, expiry, payload. Then room for the MAC. */
function packBody(keyId: string, expiryDay: number, position: string): Uint8Array<ArrayBuffer> {
  const id = encoder.encode(keyId);
  const payload = encoder.encode(position);
  const bytes = new Uint8Array(2 + id.length + EXPIRY_BYTES + payload.length + MAC_BYTES);
  bytes[0] = SIGNED_VERSION;
  bytes[1] = id.length;
  bytes.set(id, 2);
  new DataView(bytes.buffer).setUint32(2 + id.length, expiryDay);
  bytes.set(payload, 2 + id.length + EXPIRY_BYTES);
  return bytes;
}

/** The parts of a body and its MAC, or undefined if there are too few bytes. */
function unpackSigned(
  bytes: Uint8Array<ArrayBuffer>,
): (SignedParts & { readonly body: Uint8Array<ArrayBuffer>; readonly mac: Uint8Array }) | undefined {
  const body = bytes.subarray(0, Math.max(0, bytes.length - MAC_BYTES));
  const expiryAt = 2 + (body[1] ?? 0);
  if (body.length < expiryAt + EXPIRY_BYTES) return undefined;
  return {
    keyId: String.fromCharCode(...body.subarray(2, expiryAt)),
    expiryDay: new DataView(body.buffer, body.byteOffset).getUint32(expiryAt),
    payload: body.subarray(expiryAt + EXPIRY_BYTES),
    body,
    mac: bytes.subarray(body.length),
  };
}
