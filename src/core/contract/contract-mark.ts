// What a result says of the contract it was written under, in `_meta["waybill/contract"]`. Some clients show `_meta` to
// their models, so in `minimal` it is one short text: `"response-v2"`, or `"plain as_sent"`. Every other profile has to
// be named and writes an object. Readers take both forms. A gateway signs what it wrote: `by`. Nobody behind it can, as it
// takes the claim off whatever passes. Where data had to become an object, the mark says so: `data: "wrapped"`.

import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { AS_SENT, CONTRACT_META_KEY, NOTES_META_KEY } from "./wire-names.ts";

/** The profile that the short form stands for. */
export const SHORT_PROFILE = "minimal";

/** How a mark says that the data's `result` is a key of ours. */
const WRAPPED = "wrapped";
/** The key that a list, a text or a number stands under where only objects can be sent. */
const WRAPPER = "result";

/** What a mark says besides dialect and profile. */
interface MarkedForm {
  /** Its blocks are those of the server, and only notes follow them. */
  readonly isAsSent: boolean;
  /** The tool returned what stands under `result`. */
  readonly isWrapped: boolean;
}

/** The mark of a result. */
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

/** Whether data may be a value under our key: it is an object that has nothing else. */
function isUnderKey(data: JsonValue): data is JsonObject {
  return isJsonObject(data) && Object.hasOwn(data, WRAPPER) && Object.keys(data).length === 1;
}

/** Whether the data of a result is what its tool returned under a key of ours; the mark in its `_meta` says so. */
export function isMarkedWrapped(data: JsonValue, meta: unknown): boolean {
  return isUnderKey(data) && markIn(meta)?.["data"] === WRAPPED;
}

/** What the tool returned. An object that it returned with such a key stays: only the mark tells the two apart. */
export function withoutWrapper(data: JsonValue, meta: unknown): JsonValue {
  return isUnderKey(data) && isMarkedWrapped(data, meta) ? (data[WRAPPER] ?? null) : data;
}

/** A mark as an object, whichever form it has; undefined for anything else. */
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

/** How `by` begins where a gateway wrote the result; its name follows, except in the short form. */
const GATEWAY = "gateway";

/** Whether a mark says that a gateway wrote the result. */
export function isByGateway(mark: JsonObject | undefined): boolean {
  const by = mark?.["by"];
  return typeof by === "string" && (by === GATEWAY || by.startsWith(`${GATEWAY}:`));
}

/** What of a result's notes the gateway said itself, where its server said some too. */
export interface OwnNotes {
  readonly warnings: readonly string[];
  readonly archives: readonly string[];
}

/**
 * A gateway's mark on what it wrote. What the server's own mark said stands below, where there is room for it: the short
 * form has none.
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

/** What a mark says in short words, and nothing else that a server may have put there. */
function claimsOf(mark: JsonObject): JsonObject {
  const claims: Record<string, JsonValue> = {};
  for (const key of claimKeys) {
    const said = mark[key];
    if (typeof said === "string" && said.length <= MAX_CLAIM_LENGTH) claims[key] = said;
  }
  return claims;
}

/** `_meta` of a server's result that passes as it is: a signature in it is not the gateway's, and moves below. */
export function withoutSignature(meta: JsonObject): JsonObject {
  const mark = readMark(meta[CONTRACT_META_KEY]);
  if (mark === undefined || !["by", "own", "upstream"].some((key) => mark[key] !== undefined)) return meta;
  const { by, own: _own, upstream: _upstream, ...rest } = mark;
  const below = claimsOf({ by: by ?? null });
  const upstream = Object.keys(below).length === 0 ? {} : { upstream: below };
  return { ...meta, [CONTRACT_META_KEY]: { ...rest, ...upstream } };
}

/** The mark in a result's, or a request's, `_meta`. */
export function markIn(meta: unknown): JsonObject | undefined {
  return isJsonObject(meta) ? readMark(meta[CONTRACT_META_KEY]) : undefined;
}

/** `_meta` of a server's result without the notes of its own contract: they are about the call behind this one. */
export function withoutNotes(meta: JsonObject): JsonObject {
  if (meta[NOTES_META_KEY] === undefined) return meta;
  const { [NOTES_META_KEY]: _notes, ...others } = meta;
  return others;
}
