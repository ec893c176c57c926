import type { DigestPayload } from "../contract/digest-payload.ts";
import type { WarningDetail } from "../contract/warning.ts";
import type { CanonicalDocument } from "./document.ts";

const skipReasons = ["policy_off", "already_digested", "too_short", "low_quality", "not_smaller"] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Why a document was left as it is. */
export interface Skip {
  readonly reason: SkipReason;
  readonly message: string;
}

/** Where each sentence of an extractive summary, and each key point, stands in the document: locators. */
export interface DigestSpans {
  readonly summary: readonly string[];
  readonly key_points: readonly string[];
}

interface Answer {
  /** Where a fetched document was found in the end. */
  readonly url?: string;
  readonly warnings: readonly WarningDetail[];
  readonly cacheHit: boolean;
  readonly durationMs: number;
}

export interface Digested extends Answer {
  readonly payload: DigestPayload;
  /** What was digested: its text is what the payload's hash and locators are about. */
  readonly document: CanonicalDocument;
  /** Absent when a summariser wrote summary and key points in its own words. */
  readonly spans?: DigestSpans;
  readonly skipped?: undefined;
}

export interface LeftAsItIs extends Answer {
  readonly skipped: Skip;
  /** Absent where nothing was read. */
  readonly document?: CanonicalDocument;
  readonly payload?: undefined;
  readonly spans?: undefined;
}

/** A digest, or why there is none. */
export type DigestResult = Digested | LeftAsItIs;
