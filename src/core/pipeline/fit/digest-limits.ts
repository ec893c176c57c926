import type { DigestLimits } from "../parcel.ts";

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
export function digestLimits(chars: number): DigestLimits {
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
