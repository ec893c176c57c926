import { canonicalPages, canonicalText, hashQuery, hashText } from "../canonical-text.ts";
import type { CanonicalDocument, TextSpan } from "../document.ts";
import { buildPayload, locatorsOf } from "../payload/serialize-payload.ts";
import type { DigestPageInput } from "./digest-page.ts";

interface SampleParts {
  /** One text, or one for each page. */
  readonly text: string | readonly string[];
  readonly title?: string;
  /** Where the evidence is: the text of each quote, or its place. */
  readonly evidence?: readonly (string | TextSpan)[];
  readonly summary?: readonly (string | TextSpan)[];
  readonly keyPoints?: readonly (string | TextSpan)[];
  readonly url?: string;
}

/** A digest whose parts are chosen by hand, built as the engine builds one. */
export async function sampleDigest(parts: SampleParts): Promise<DigestPageInput> {
  const { text: raw, title, url } = parts;
  const { text, pages } =
    typeof raw === "string" ? { text: canonicalText(raw), pages: undefined } : canonicalPages(raw);
  const document: CanonicalDocument = {
    type: pages === undefined ? "text" : "pdf",
    text,
    warnings: [],
    ...(pages === undefined ? {} : { pages }),
    ...(title === undefined ? {} : { title }),
  };
  const place = (part: string | TextSpan): TextSpan => {
    if (typeof part !== "string") return part;
    const start = text.indexOf(part);
    if (start === -1) throw new Error(`not in the text: ${part}`);
    return { start, end: start + part.length };
  };
  const placeAll = (all: readonly (string | TextSpan)[] = []): readonly TextSpan[] => all.map(place);
  const words = (spans: readonly TextSpan[]): string[] =>
    spans.map(({ start, end }) => text.slice(start, end));
  const [evidence, summary, keyPoints] = [parts.evidence, parts.summary, parts.keyPoints].map(placeAll);
  const payload = buildPayload({
    document,
    queryHash: await hashQuery(),
    textHash: await hashText(text),
    summary: words(summary ?? []).join(" "),
    keyPoints: words(keyPoints ?? []),
    evidence: (evidence ?? []).map((span, index) => ({ ...span, score: 1 / (index + 1) })),
  });
  const spans = {
    summary: locatorsOf(document, summary ?? []),
    key_points: locatorsOf(document, keyPoints ?? []),
  };
  return { payload, document, spans, warnings: [], ...(url === undefined ? {} : { url }) };
}
