import { ContractError } from "../contract/contract-error.ts";
import { assertJson } from "../contract/note-options.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { stableStringify } from "../json/canonical-json.ts";
import { toBase64url } from "./base64url.ts";
import { cursorMac } from "./cursor-mac.ts";
import {
  DEFAULT_EXPIRY_DAYS,
  type EncodeCursorOptions,
  MAX_CURSOR_LENGTH,
  type SignedCursorOptions,
} from "./cursor-options.ts";
import { toDay } from "./to-day.ts";
import { toKeyRing } from "./key-ring.ts";
import { encodePlainCursor } from "./plain-cursor.ts";
import { packBody } from "./signed-layout.ts";

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
  const payload = new TextEncoder().encode(stableStringify(position));
  const body = packBody({ keyId: current.id, expiryDay: expiryDayOf(options), payload });
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
      : await encodeSignedCursor(position, { ...options });
  if (cursor.length <= MAX_CURSOR_LENGTH) return cursor;
  const message = `The cursor has ${cursor.length} characters, over the limit of ${MAX_CURSOR_LENGTH}: `;
  throw new ContractError(
    "INVALID_OPTION",
    `${message}put only the sort key of the last item into the position.`,
  );
}
