// The mark in `_meta["waybill/contract"]` says under which contract a result was written. Some clients show `_meta` to
// their models, so the `minimal` profile writes one short text: `"response-v2"`, or `"plain as_sent"`. Every other
// profile must be named and writes an object. Readers accept both forms. A gateway signs what it wrote with `by`. A
// server behind the gateway cannot forge that: the gateway removes `by` from every result it passes on. If data had to
// become an object, the mark says `data: "wrapped"`.

import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { AS_SENT, CONTRACT_META_KEY, NOTES_META_KEY } from "./wire-names.ts";

/** The profile that the short form implies. */
export const SHORT_PROFILE = "minimal";

/** The mark's value that says: the key `result` in the data was added by Waybill. */
const WRAPPED = "wrapped";
/** The key for a list, a text or a number if only objects can be sent. */
const WRAPPER = "result";

/** What a mark says besides dialect and profile. */
interface MarkedForm {
  /** The blocks are the server's own, and only notes follow them. */
  readonly isAsSent: boolean;
  /** The tool returned the value under `result`. */
  readonly isWrapped: boolean;
}

export function contractMark(
  dialect: string,
  profile: string,
  { isAsSent, isWrapped }: MarkedForm,
): JsonValue {
  if (profile === SHORT_PROFILE)
    return [dialect, ...(isAsSent ? [AS_SENT] : []), ...(isWrapped ? [WRAPPED] : [])].join(" ");
  return {
    dialect,
    profile,
    ...(isAsSent ? { content: AS_SENT } : {}),
    ...(isWrapped ? { data: WRAPPED } : {}),
  };
}

/** Whether data may be a wrapped value: an object with our key and no other. */
function isUnderKey(data: JsonValue): data is JsonObject {
  return isJsonObject(data) && Object.hasOwn(data, WRAPPER) && Object.keys(data).length === 1;
}

/** Whether the data is a tool's value under our key. The mark in the result's `_meta` says so. */
export function isMarkedWrapped(data: JsonValue, meta: unknown): boolean {
  return isUnderKey(data) && markIn(meta)?.["data"] === WRAPPED;
}

/**
 * The value that the tool returned. If the tool itself returned an object with such a key, it stays: the mark tells the
 * two apart.
 */
export function withoutWrapper(data: JsonValue, meta: unknown): JsonValue {
  return isUnderKey(data) && isMarkedWrapped(data, meta) ? (data[WRAPPER] ?? null) : data;
}

/** A mark of either form as an object; undefined for anything else. */
export function readMark(mark: unknown): JsonObject | undefined {
  if (typeof mark !== "string") return isJsonObject(mark) ? mark : undefined;
  const [dialect = "", ...words] = mark.split(" ", 3);
  if (dialect === "") return undefined;
  const named: Record<string, string> = { dialect, profile: SHORT_PROFILE };
  for (const word of words) named[keyOf(word)] = word;
  return named;
}

function keyOf(word: string): string {
  if (word === GATEWAY) return "by";
  return word === WRAPPED ? "data" : "content";
}

/** Who said something: the server whose tool was called, or a gateway in front of it. */
export type SaidBy = "gateway" | "server";

/** `by` begins with this word if a gateway wrote the result; the gateway's name follows, except in the short form. */
const GATEWAY = "gateway";

/** Whether a mark says that a gateway wrote the result. */
export function isByGateway(mark: JsonObject | undefined): boolean {
  const by = mark?.["by"];
  return typeof by === "string" && (by === GATEWAY || by.startsWith(`${GATEWAY}:`));
}

/** The notes that the gateway itself added to a result whose server added some too. */
export interface OwnNotes {
  readonly warnings: readonly string[];
  readonly archives: readonly string[];
}

/**
 * A gateway's mark on what it wrote. The claims of the server's own mark go under `upstream`, except in the short form,
 * which has no room for them.
 */
export function signMark(
  mark: JsonValue,
  name: string | undefined,
  { own, upstream }: { readonly own?: OwnNotes | undefined; readonly upstream?: unknown } = {},
): JsonValue {
  if (typeof mark === "string" && own === undefined) return `${mark} ${GATEWAY}`;
  const below = readMark(upstream);
  return {
    ...readMark(mark),
    by: name === undefined ? GATEWAY : `${GATEWAY}:${name}`,
    ...(own === undefined ? {} : { own: { ...own } }),
    ...(below === undefined ? {} : { upstream: claimsOf(below) }),
  };
}

const MAX_CLAIM_LENGTH = 100;
const claimKeys = ["dialect", "profile", "content", "by"] as const;

/** The short texts of a mark under known keys; everything else a server may have put there is left out. */
function claimsOf(mark: JsonObject): JsonObject {
  const claims: Record<string, JsonValue> = {};
  for (const key of claimKeys) {
    const said = mark[key];
    if (typeof said === "string" && said.length <= MAX_CLAIM_LENGTH) claims[key] = said;
  }
  return claims;
}

/**
 * `_meta` of a server's result that passes unchanged. A signature in it is not this gateway's, so it moves under
 * `upstream`.
 */
export function withoutSignature(meta: JsonObject): JsonObject {
  const mark = readMark(meta[CONTRACT_META_KEY]);
  if (mark === undefined || !["by", "own", "upstream"].some((key) => mark[key] !== undefined)) return meta;
  const { by, own: _own, upstream: _upstream, ...rest } = mark;
  const below = claimsOf({ by: by ?? null });
  const upstream = Object.keys(below).length === 0 ? {} : { upstream: below };
  return { ...meta, [CONTRACT_META_KEY]: { ...rest, ...upstream } };
}

/** The mark in the `_meta` of a result or a request. */
export function markIn(meta: unknown): JsonObject | undefined {
  return isJsonObject(meta) ? readMark(meta[CONTRACT_META_KEY]) : undefined;
}

/** `_meta` of a server's result without its own contract's notes: they describe the call behind this one. */
export function withoutNotes(meta: JsonObject): JsonObject {
  if (meta[NOTES_META_KEY] === undefined) return meta;
  const { [NOTES_META_KEY]: _notes, ...others } = meta;
  return others;
}
