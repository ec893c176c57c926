// A digest is one unit: its figures say how long it is, so nothing may be cut inside it. It gets shorter by whole
// quotes, the last first, then by key points, and its figures are counted again; the result is a valid digest.

import { countCodePoints } from "../../text/code-points.ts";
import { DIGEST_CONTENT_TYPE } from "../../contract/wire-names.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";
import { type Omission, runsWithout } from "./omission.ts";
import type { DigestLimits } from "../pipeline-context.ts";

/** A digest in a result: as the text of a source, or as an object of its own. */
interface FoundDigest {
  readonly payload: JsonObject;
  /** The value with this payload instead of its own. */
  readonly withPayload: (payload: JsonObject) => JsonObject;
  readonly isText: boolean;
}

/** A shorter form of a digest, and what it lost. */
export interface ShorterDigest {
  readonly value: JsonObject;
  readonly omissions: readonly Omission[];
}

const DECIMALS = 10_000;

/** Whether a value says that it is a digest, or a source that holds one. */
export function isDigestValue(value: JsonValue): value is JsonObject {
  if (!isJsonObject(value) || value["content_type"] !== DIGEST_CONTENT_TYPE) return false;
  return typeof value["content"] === "string" || isPayload(value);
}

function isPayload(value: JsonValue | undefined): value is JsonObject {
  return (
    isJsonObject(value) && Array.isArray(value["key_points"]) && Array.isArray(value["evidence_snippets"])
  );
}

function findDigest(value: JsonObject): FoundDigest | undefined {
  const { content } = value;
  if (typeof content !== "string")
    return { payload: value, withPayload: (payload) => payload, isText: false };
  const payload = jsonIn(content);
  if (!isPayload(payload)) return undefined;
  return {
    payload,
    withPayload: (shorter) => ({ ...value, content: JSON.stringify(shorter) }),
    isText: true,
  };
}

/** The payload with its length counted again, with 0 in both figures, as its maker counted. */
function withFigures(payload: JsonObject): JsonObject {
  const digestChars = countCodePoints(JSON.stringify({ ...payload, digest_chars: 0, compression_ratio: 0 }));
  const original = payload["original_chars"];
  const ratio = typeof original === "number" && original > 0 ? digestChars / original : 0;
  return {
    ...payload,
    digest_chars: digestChars,
    compression_ratio: Math.min(1, Math.round(ratio * DECIMALS) / DECIMALS),
  };
}

function listOf(payload: JsonObject, key: string): readonly JsonValue[] {
  const list = payload[key];
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}

/** The names of the items cut from the end of a list; a list that lost everything is named as a whole. */
function omitted(payload: JsonObject, key: string, kept: number, pointer: string): readonly Omission[] {
  const items = listOf(payload, key);
  if (kept >= items.length) return [];
  const place = appendPointer(pointer, key);
  if (kept === 0) return [{ kind: "part", id: place }];
  const places = Array.from({ length: kept }, (_, index) => index);
  return [{ kind: "items", pointer: place, name: key, items, runs: runsWithout(places, items.length) }];
}

/** Ever shorter forms of a digest, the longest first; none if the value is not a valid digest. */
export function* shorterDigests(value: JsonObject, pointer: string): Generator<ShorterDigest> {
  const found = findDigest(value);
  if (found === undefined) return;
  const { payload, withPayload, isText } = found;
  const [quotes, points] = [listOf(payload, "evidence_snippets"), listOf(payload, "key_points")];
  for (let left = quotes.length + points.length - 1; left >= 0; left--) {
    const keptPoints = Math.min(left, points.length);
    const keptQuotes = left - keptPoints;
    const shorter = withFigures({
      ...payload,
      key_points: points.slice(0, keptPoints),
      evidence_snippets: quotes.slice(0, keptQuotes),
    });
    const omissions = isText
      ? [{ kind: "part", id: appendPointer(pointer, "content") } as const]
      : [
          ...omitted(payload, "evidence_snippets", keptQuotes, pointer),
          ...omitted(payload, "key_points", keptPoints, pointer),
        ];
    yield { value: withPayload(shorter), omissions };
  }
}

/** The shortest form of a digest. */
export function shortestDigest(value: JsonObject): JsonObject {
  let shortest = value;
  for (const shorter of shorterDigests(value, "")) shortest = shorter.value;
  return shortest;
}

/** The limits of a digest in seed 001. */
const MAX_PARTS = 10;
const MAX_SNIPPET_CHARS = 500;
const MAX_SUMMARY_CHARS = 2_000;
/** Locator, score and keys around a snippet. */
const SNIPPET_FRAME_CHARS = 72;
const KEY_POINT_CHARS = 256;
const MIN_SNIPPET_CHARS = 80;

/** Quotes can be checked, so they get the larger part. */
const EVIDENCE_SHARE = 0.6;
const SUMMARY_SHARE = 0.25;

/** With fewer characters the digest would be empty. */
export const MIN_DIGEST_CHARS = 140;

/** Shares characters among the parts of a digest: fewer parts rather than shorter ones. */
export function shareDigestLimits(chars: number): DigestLimits {
  const evidence = chars * EVIDENCE_SHARE;
  const snippet = MAX_SNIPPET_CHARS + SNIPPET_FRAME_CHARS;
  return {
    maxSnippets: Math.min(MAX_PARTS, Math.max(1, Math.floor(evidence / snippet))),
    snippetChars: Math.floor(
      Math.min(MAX_SNIPPET_CHARS, Math.max(MIN_SNIPPET_CHARS, evidence - SNIPPET_FRAME_CHARS)),
    ),
    summaryChars: Math.floor(Math.min(MAX_SUMMARY_CHARS, chars * SUMMARY_SHARE)),
    maxKeyPoints: Math.min(
      MAX_PARTS,
      Math.floor((chars * (1 - EVIDENCE_SHARE - SUMMARY_SHARE)) / KEY_POINT_CHARS),
    ),
  };
}
