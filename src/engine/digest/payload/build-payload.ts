import { countCodePoints } from "../../../core/contract/code-points.ts";
import {
  type DigestPayload,
  type EvidenceSnippet,
  formatLocator,
} from "../../../core/contract/digest-payload.ts";
import { DIGEST_CONTENT_TYPE } from "../../../core/contract/wire-names.ts";
import { toCodePoints } from "../code-point-places.ts";
import type { CanonicalDocument, Page, ScoredSpan, Span } from "../document.ts";
import { type SerializeOptions, ratioOf, serializePayload } from "./serialize-payload.ts";

export interface PayloadParts extends SerializeOptions {
  readonly document: Pick<CanonicalDocument, "text" | "pages">;
  readonly queryHash: string;
  readonly textHash: string;
  readonly summary: string;
  readonly keyPoints: readonly string[];
  readonly evidence: readonly ScoredSpan[];
}

const SCORE_DECIMALS = 10_000;

/** The page at a position, by binary search: pages are in order. */
function pageAt(pages: readonly Page[], start: number): Page | undefined {
  let low = 0;
  let high = pages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pages[middle]?.end ?? 0) > start) high = middle;
    else low = middle + 1;
  }
  return pages[low];
}

/** The locators of spans in a document. */
export function locatorsOf(
  { text, pages }: PayloadParts["document"],
  spans: readonly Span[],
): readonly string[] {
  const places = toCodePoints(
    text,
    spans.flatMap(({ start, end }) => [start, end]),
  );
  return spans.map((span, index) => {
    const [start = 0, end = 0] = places.slice(index * 2, index * 2 + 2);
    const page = pages === undefined ? undefined : pageAt(pages, span.start)?.number;
    return formatLocator({ start, end, page });
  });
}

/** The payload of a selection. It counts its own characters as it is sent, without its own two counts. */
export function buildPayload(parts: PayloadParts): DigestPayload {
  const { document, evidence } = parts;
  const locators = locatorsOf(document, evidence);
  const uncounted: DigestPayload = {
    version: "1.0",
    content_type: DIGEST_CONTENT_TYPE,
    query_hash: parts.queryHash,
    summary: parts.summary,
    key_points: parts.keyPoints,
    evidence_snippets: evidence.map(({ start, end, score }, index): EvidenceSnippet => ({
      text: document.text.slice(start, end),
      locator: locators[index] ?? "",
      relevance_score: Math.round(score * SCORE_DECIMALS) / SCORE_DECIMALS,
    })),
    original_chars: countCodePoints(document.text),
    digest_chars: 0,
    compression_ratio: 0,
    source_text_hash: parts.textHash,
  };
  const digestChars = countDigestChars(uncounted, parts);
  const ratio = ratioOf(digestChars, uncounted.original_chars);
  return { ...uncounted, digest_chars: digestChars, compression_ratio: Math.min(1, ratio) };
}

/** The code points of a payload as it is sent, with its two counts as 0 so that they do not count themselves. */
export function countDigestChars(payload: DigestPayload, { compat }: SerializeOptions = {}): number {
  const uncounted = { ...payload, digest_chars: 0, compression_ratio: 0 };
  return countCodePoints(serializePayload(uncounted, { compat }));
}
