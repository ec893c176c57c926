import { decodeUtf8 } from "../json/decode-utf8.ts";
import type { JsonObject } from "../json/json-value.ts";
import { fromBase64url } from "./base64url.ts";
import { cursorMac, equalMacs } from "./cursor-mac.ts";
import { type DecodeCursorOptions, MAX_CURSOR_LENGTH, type SignedCursorOptions } from "./cursor-options.ts";
import { toDay } from "./to-day.ts";
import { toKeyRing } from "./key-ring.ts";
import { decodePlainCursor } from "./plain-cursor.ts";
import { refuseCursor } from "./refuse-cursor.ts";
import { SIGNED_VERSION, unpackSigned } from "./signed-layout.ts";

/** Base64 of every text that starts with `{`, as a plain cursor does, starts so; no signed one does. */
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

/** The position a cursor stands for. Anything but a living cursor of this very call throws INVALID_CURSOR. */
export async function decodeCursor(cursor: string, options: DecodeCursorOptions): Promise<JsonObject> {
  // Callers in plain JavaScript hand over whatever a client sent.
  const given: unknown = cursor;
  if (given === undefined || given === null || given === "") throw refuseCursor("empty");
  if (typeof given !== "string") throw refuseCursor("malformed");
  if (given.length > MAX_CURSOR_LENGTH) throw refuseCursor("too_long");
  if (options?.format === "plain") return decodePlainCursor(given);
  if (!given.startsWith(PLAIN_START)) return decodeSignedCursor(given, { ...options });
  toKeyRing(options?.keys);
  const position = decodePlainCursor(given);
  if (options.acceptUnsigned !== true) throw refuseCursor("signature");
  return position;
}
