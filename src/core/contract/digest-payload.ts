import { digestLimits } from "./choices.ts";
import * as z from "zod/mini";
import { countCodePoints } from "../text/code-points.ts";
import { DIGEST_CONTENT_TYPE } from "./wire-names.ts";
import { archiveHashSchema, countSchema } from "./meta.ts";

/** A place in canonical text: code points from `start` up to, not including, `end`; `page` counts from 1. */
export interface Locator {
  readonly start: number;
  readonly end: number;
  readonly page?: number | undefined;
}

const pattern = /^(?:page:([1-9]\d*):)?char:(0|[1-9]\d*)-(0|[1-9]\d*)$/;

/** The place a locator names: `char:S-E` or `page:N:char:S-E`, S <= E. Undefined when the text is not a locator. */
export function parseLocator(text: string): Locator | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, page, from = "", to = ""] = match;
  const start = Number(from);
  const end = Number(to);
  if (start > end || !Number.isSafeInteger(end)) return undefined;
  return page === undefined ? { start, end } : { start, end, page: Number(page) };
}

export function formatLocator({ start, end, page }: Locator): string {
  return `${page === undefined ? "" : `page:${page}:`}char:${start}-${end}`;
}

const locatorSchema = z
  .string()
  .check(
    z.refine((text) => parseLocator(text) !== undefined, {
      error: "is not char:START-END or page:N:char:START-END with START <= END",
    }),
  )
  .register(z.globalRegistry, { pattern: pattern.source });

const DIGEST_VERSION = "1.0";

const share = z.number().check(z.minimum(0), z.maximum(1));

export const evidenceSnippetSchema = z
  .looseObject({
    text: stringUpTo(digestLimits.snippet),
    locator: locatorSchema,
    relevance_score: share,
  })
  .register(z.globalRegistry, {
    id: "EvidenceSnippet",
    description: "An exact quote of the canonical text, and its place there.",
  });

export const digestPayloadSchema = z
  .looseObject({
    version: z._default(z.literal(DIGEST_VERSION), DIGEST_VERSION),
    content_type: z._default(z.literal(DIGEST_CONTENT_TYPE), DIGEST_CONTENT_TYPE),
    query_hash: z
      .string()
      .check(z.regex(/^[a-f0-9]{8}$/, { error: "is not exactly 8 lower-case hex digits" })),
    summary: stringUpTo(digestLimits.summary),
    key_points: z.array(stringUpTo(digestLimits.keyPoint)).check(z.maxLength(digestLimits.keyPoints)),
    evidence_snippets: z.array(evidenceSnippetSchema).check(z.maxLength(digestLimits.snippets)),
    original_chars: countSchema,
    digest_chars: countSchema,
    compression_ratio: share,
    source_text_hash: archiveHashSchema,
  })
  .register(z.globalRegistry, {
    id: "DigestPayload",
    description: "A document condensed, with quotes that can be checked against it.",
  });

export interface EvidenceSnippet {
  readonly text: string;
  readonly locator: string;
  readonly relevance_score: number;
}

export interface DigestPayload {
  readonly version: typeof DIGEST_VERSION;
  readonly content_type: typeof DIGEST_CONTENT_TYPE;
  readonly query_hash: string;
  readonly summary: string;
  readonly key_points: readonly string[];
  readonly evidence_snippets: readonly EvidenceSnippet[];
  readonly original_chars: number;
  readonly digest_chars: number;
  readonly compression_ratio: number;
  readonly source_text_hash: string;
}

/** A valid payload with the two defaults of seed 001 filled in; a payload that has both is returned unchanged. */
export function fillPayload(valid: object): DigestPayload {
  const { version, content_type } = valid as Partial<DigestPayload>;
  if (version !== undefined && content_type !== undefined) return valid as DigestPayload;
  return { ...valid, version: DIGEST_VERSION, content_type: DIGEST_CONTENT_TYPE } as DigestPayload;
}

/** A string of at most `max` code points; JSON Schema's `maxLength` counts the same way. */
function stringUpTo(max: number): z.ZodMiniString {
  return z
    .string()
    .check(
      z.refine((text) => text.length <= max || countCodePoints(text) <= max, {
        error: `is longer than ${max} characters`,
      }),
    )
    .register(z.globalRegistry, { maxLength: max });
}
