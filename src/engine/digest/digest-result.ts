import { countCodePoints } from "../../core/text/code-points.ts";
import { type DigestPayload, digestPayloadSchema } from "../../core/contract/digest-payload.ts";
import { DIGEST_CONTENT_TYPE } from "../../core/contract/wire-names.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { type DigestOptions, sourceQualities } from "./digest-options.ts";
import type { CanonicalDocument } from "./document.ts";
import { type JsonValue, jsonIn } from "../../core/json/json-value.ts";
import { stableStringify } from "../../core/json/canonical-json.ts";
import { sha256 } from "../../core/text/bytes.ts";

const skipReasons = ["policy_off", "already_digested", "too_short", "low_quality", "not_smaller"] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Why a document was not digested. */
export interface Skip {
  readonly reason: SkipReason;
  readonly message: string;
}

/** Locators of each sentence of an extractive summary, and of each key point. */
export interface DigestSpans {
  readonly summary: readonly string[];
  readonly key_points: readonly string[];
}

/** A section of a document, by its heading, with the sentence that says most of it. */
export interface OutlineSection {
  readonly heading: string;
  /** Where the heading is. */
  readonly locator: string;
  /** Absent if no sentence of the section stands by itself, or another section says the same. */
  readonly point?: string;
  readonly point_locator?: string;
}

interface Answer {
  /** The final URL of a fetched document, after redirects. */
  readonly url?: string;
  readonly warnings: readonly WarningDetail[];
  readonly cacheHit: boolean;
  readonly durationMs: number;
}

export interface Digested extends Answer {
  readonly payload: DigestPayload;
  /** The digested document: the payload's hash and locators refer to its text. */
  readonly document: CanonicalDocument;
  /** Absent if a summariser wrote summary and key points in its own words. */
  readonly spans?: DigestSpans;
  /** Absent if a query was answered, and for a document without headings. */
  readonly outline?: readonly OutlineSection[];
  readonly skipped?: undefined;
}

export interface LeftAsItIs extends Answer {
  readonly skipped: Skip;
  /** Absent if nothing was read. */
  readonly document?: CanonicalDocument;
  readonly payload?: undefined;
  readonly spans?: undefined;
  readonly outline?: undefined;
}

/** A digest, or why no digest was made. */
export type DigestResult = Digested | LeftAsItIs;

const DEFAULT_MIN_CHARS = 500;
/** A payload has at most some 20,000 characters; a longer text is not a payload, whatever its beginning. */
const MAX_PAYLOAD_LENGTH = 100_000;

/** A digest is never digested again. */
export const alreadyDigested: Skip = {
  reason: "already_digested",
  message: "It is a digest already, and is not digested again.",
};

function isPayload(text: string): boolean {
  const isShort = text.length <= MAX_PAYLOAD_LENGTH && text.startsWith("{");
  return isShort && digestPayloadSchema.safeParse(jsonIn(text)).success;
}

/** A reason that is known before anything is read: the policy, or the type. */
export function skipUnread({ policy, contentType }: DigestOptions): Skip | undefined {
  if (policy === "off") return { reason: "policy_off", message: "Digests are turned off." };
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  return type === DIGEST_CONTENT_TYPE ? alreadyDigested : undefined;
}

/** A reason that shows once the text is read: it is a payload, or the policy "auto" excludes it. */
export function skipUnworthy(text: string, options: DigestOptions): Skip | undefined {
  if (isPayload(text)) return alreadyDigested;
  const { policy = "auto", minChars = DEFAULT_MIN_CHARS, quality, minQuality = "medium" } = options;
  if (policy !== "auto") return undefined;
  // Most texts are long enough by any count.
  if (text.length < minChars * 2) {
    const length = countCodePoints(text);
    const message = `It has ${length} characters, and the policy "auto" leaves texts under ${minChars} as they are.`;
    if (length < minChars) return { reason: "too_short", message };
  }
  // A source without a quality counts as good enough.
  if (quality === undefined || sourceQualities.indexOf(quality) >= sourceQualities.indexOf(minQuality)) {
    return undefined;
  }
  return {
    reason: "low_quality",
    message: `Its quality is ${quality}, and the policy "auto" asks for ${minQuality}.`,
  };
}

/** A digest without the facts of a single call. */
export interface CachedDigest {
  readonly payload: DigestPayload;
  readonly spans?: DigestSpans;
  readonly outline?: readonly OutlineSection[];
  readonly warnings: readonly WarningDetail[];
}

/** Where digests are kept for the next call with the same document, query and settings. */
export interface DigestCache {
  get(key: string): CachedDigest | undefined | Promise<CachedDigest | undefined>;
  set(key: string, digest: CachedDigest): void | Promise<void>;
}

/** Raised with every change that gives another digest for the same document. */
const IMPLEMENTATION = "3";

/** A key made of everything that changes the output. */
export async function digestCacheKey(parts: Readonly<Record<string, JsonValue>>): Promise<string> {
  return `digest:${IMPLEMENTATION}:${await sha256(new TextEncoder().encode(stableStringify(parts)))}`;
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}

/** The last digests in memory; they are frozen, so that no caller changes another caller's digest. */
export function memoryDigestCache({ maxEntries = 100 }: { readonly maxEntries?: number } = {}): DigestCache {
  const entries = new Map<string, CachedDigest>();
  return {
    get(key) {
      const found = entries.get(key);
      if (found === undefined) return undefined;
      // The map is ordered by use.
      entries.delete(key);
      entries.set(key, found);
      return found;
    },
    set(key, digest) {
      entries.delete(key);
      entries.set(key, freeze(digest));
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries) break;
        entries.delete(oldest);
      }
    },
  };
}
