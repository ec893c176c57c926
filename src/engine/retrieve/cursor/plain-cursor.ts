import { findNonJson } from "../../../core/json/find-non-json.ts";
import { decodeUtf8 } from "../../../core/json/decode-utf8.ts";
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  mapObject,
  setOwn,
} from "../../../core/json/json-value.ts";
import { fromBase64url, toBase64url } from "./base64url.ts";
import { refuseCursor } from "./refuse-cursor.ts";

const PLAIN_VERSION = 1;

// The original escapes DEL as well, though it is ASCII.
const notPrintable = /[\u007f-\uffff]/g;

function toAscii(json: string): string {
  return json.replace(notPrintable, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Seed 004's form, byte for byte: padded URL-safe base64 of ASCII JSON with `version: 1`, last or in place. */
export function encodePlainCursor(position: JsonObject): string {
  const versioned: Record<string, JsonValue> = {
    ...mapObject(position, (value, key) => (key === "version" ? PLAIN_VERSION : value)),
  };
  if (!Object.hasOwn(versioned, "version")) setOwn(versioned, "version", PLAIN_VERSION);
  const text = toBase64url(new TextEncoder().encode(toAscii(JSON.stringify(versioned))));
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}

function parse(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return findNonJson(value) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The position in a plain cursor, without its version; stricter than the original, which skips what it cannot read. */
export function decodePlainCursor(cursor: string): JsonObject {
  const bytes = cursor.length % 4 === 0 ? fromBase64url(cursor.replace(/={1,2}$/, "")) : undefined;
  const decoded = bytes === undefined ? undefined : decodeUtf8(bytes);
  const value = decoded?.ok === true ? parse(decoded.text) : undefined;
  if (value === undefined) throw refuseCursor("malformed");
  if (!isJsonObject(value)) throw refuseCursor("not_an_object");
  if (Object.hasOwn(value, "version") && value["version"] !== PLAIN_VERSION) throw refuseCursor("version");
  return mapObject(value, (item, key) => (key === "version" ? undefined : item));
}
