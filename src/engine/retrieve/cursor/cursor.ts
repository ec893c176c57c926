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
  type CursorBinding,
  type DecodeCursorOptions,
  type EncodeCursorOptions,
  type SignedCursorOptions,
  DEFAULT_EXPIRY_DAYS,
  MAX_CURSOR_LENGTH,
  refuseCursor,
  toKeyRing,
} from "./cursor-options.ts";
import { findNonJson } from "../../../core/json/find-non-json.ts";

const MAX_EXPIRY_DAYS = 36_500;

function expiryDayOf({ expiresInDays = DEFAULT_EXPIRY_DAYS, now }: SignedCursorOptions): number {
  if (Number.isInteger(expiresInDays) && expiresInDays >= 1 && expiresInDays <= MAX_EXPIRY_DAYS) {
    return toDay(now) + expiresInDays;
  }
  const message = `expiresInDays is ${expiresInDays}: give whole days from 1 to ${MAX_EXPIRY_DAYS}.`;
  throw new ContractError("INVALID_OPTION", message);
}

async function encodeSignedCursor(position: JsonObject, options: SignedCursorOptions): Promise<string> {
  const { current } = toKeyRing(options.keys);
  const body = packBody(current.id, expiryDayOf(options), stableStringify(position));
  const mac = await cursorMac(current.secret, body, options);
  const bytes = new Uint8Array(body.length + mac.length);
  bytes.set(body);
  bytes.set(mac, body.length);
  return toBase64url(bytes);
}

/**
 * An opaque, URL-safe cursor for a position. Equal input gives equal text within a UTC day.
 *
 * @example
 * await encodeCursor({ after: "task-20" }, { keys: secret, tool: "task_query", filters: { status: "open" } });
 */
export async function encodeCursor(position: JsonObject, options: EncodeCursorOptions): Promise<string> {
  assertJson(position, "position");
  if (!isJsonObject(position)) {
    throw new ContractError("INVALID_OPTION", "A cursor's position is an object, such as { after: lastId }.");
  }
  const cursor =
    options?.format === "plain"
      ? encodePlainCursor(position)
      : await encodeSignedCursor(position, options ?? {});
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
  const expected = await cursorMac(secret, parts.body, options);
  if (!equalMacs(expected, parts.mac)) throw refuseCursor("signature");
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
  const text = toBase64url(new TextEncoder().encode(toAscii(JSON.stringify(versioned))));
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

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const sextets = new Map(Array.from(ALPHABET, (character, sextet) => [character, sextet]));

/** Base64 of RFC 4648 section 5, without padding. */
export function toBase64url(bytes: Uint8Array): string {
  let text = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text += ALPHABET.charAt((buffer >> bits) & 0x3f);
    }
  }
  return bits > 0 ? text + ALPHABET.charAt((buffer << (6 - bits)) & 0x3f) : text;
}

/** The bytes of unpadded base64url, or undefined for any text that `toBase64url` never writes. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let buffer = 0;
  let bits = 0;
  let length = 0;
  for (const character of text) {
    const sextet = sextets.get(character);
    if (sextet === undefined) return undefined;
    buffer = ((buffer << 6) | sextet) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = (buffer >> bits) & 0xff;
  }
  // Left-over bits must be zero: otherwise several texts would decode to the same bytes.
  return (buffer & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}

const DAY_MS = 86_400_000;

/** Whole days since 1970, in UTC. */
function toDay(now: (() => Date) | undefined): number {
  return Math.floor((now?.() ?? new Date()).getTime() / DAY_MS);
}

const MAC_BYTES = 16;

// The same secret may sign other things; the label keeps their signatures from working here.
const LABEL = "waybill.cursor\n";

const encoder = new TextEncoder();

function writeBinding(binding: CursorBinding): string {
  const values: readonly (JsonValue | undefined)[] = [
    binding.tool,
    binding.filters,
    binding.sort,
    binding.tenant,
  ];
  const parts = values.map((value) => value ?? null);
  assertJson(parts, "binding");
  return stableStringify(parts);
}

/** HMAC-SHA256 over the cursor's body and the call it belongs to, cut to 16 bytes. */
async function cursorMac(secret: string, body: Uint8Array, binding: CursorBinding): Promise<Uint8Array> {
  const hash = await digest(writeBinding(binding));
  const label = encoder.encode(LABEL);
  const input = new Uint8Array(label.length + hash.length + body.length);
  input.set(label);
  input.set(hash, label.length);
  input.set(body, label.length + hash.length);
  return (await hmac(secret, input)).slice(0, MAC_BYTES);
}

/** Compares in a time that does not depend on where two MACs differ. */
function equalMacs(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
  return difference === 0;
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

/** Everything the MAC covers: version, length of the key id, key id, expiry, payload. */
function packBody(keyId: string, expiryDay: number, position: string): Uint8Array<ArrayBuffer> {
  const id = encoder.encode(keyId);
  const payload = encoder.encode(position);
  const body = new Uint8Array(2 + id.length + EXPIRY_BYTES + payload.length);
  body[0] = SIGNED_VERSION;
  body[1] = id.length;
  body.set(id, 2);
  new DataView(body.buffer).setUint32(2 + id.length, expiryDay);
  body.set(payload, 2 + id.length + EXPIRY_BYTES);
  return body;
}

/** The parts of a body and its MAC, or undefined if there are too few bytes. */
function unpackSigned(
  bytes: Uint8Array,
): (SignedParts & { readonly body: Uint8Array; readonly mac: Uint8Array }) | undefined {
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

/**
 * Node's own hashes, which are synchronous: WebCrypto hands every small hash to another thread, which costs
 * more than the rest of a page. Requested at run time, so that browsers and edge runtimes do not need the
 * module.
 */
const node = globalThis.process?.getBuiltinModule?.("node:crypto");

const toBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function digest(text: string): Promise<Uint8Array> {
  if (node) return node.createHash("sha256").update(text).digest();
  return new Uint8Array(await crypto.subtle.digest("SHA-256", toBytes(text)));
}

async function hmac(secret: string, input: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (node) return node.createHmac("sha256", secret).update(input).digest();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", toBytes(secret), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, input));
}
