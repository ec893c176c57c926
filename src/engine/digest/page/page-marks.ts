import { type DigestPayload, parseLocator } from "../../../core/contract/digest-payload.ts";
import { toUnits } from "../code-point-places.ts";
import type { DigestSpans } from "../digest-result.ts";
import type { Span } from "../document.ts";

/** A range of the document to which the page links by this id. */
export interface Mark extends Span {
  readonly id: string;
}

export interface EvidenceMark extends Mark {
  /** Counted from 1, best first, as in the payload. */
  readonly number: number;
  readonly score: number;
}

export interface PageMarks {
  /** In the order of the document. */
  readonly evidence: readonly EvidenceMark[];
  /** Sentences of the summary and key points, which may be inside evidence; in document order. */
  readonly sentences: readonly Mark[];
}

interface Pointer {
  readonly id: string;
  readonly locator: string;
}

/** Locators count code points; all are converted to offsets of the text in one pass. */
function placeAll(text: string, pointers: readonly Pointer[]): readonly Mark[] {
  const locators = pointers.map(({ locator }) => parseLocator(locator) ?? { start: 0, end: 0 });
  const units = toUnits(
    text,
    locators.flatMap(({ start, end }) => [start, end]),
  );
  return pointers.map(({ id }, index) => {
    const [start = 0, end = 0] = units.slice(index * 2, index * 2 + 2);
    return { id, start, end };
  });
}

const inOrder = (a: Span, b: Span): number => a.start - b.start || a.end - b.end;

/** The positions of everything that the page marks or links to; items without a position in the text are left out. */
export function findMarks(text: string, payload: DigestPayload, spans: DigestSpans | undefined): PageMarks {
  const snippets = payload.evidence_snippets;
  const quotes = snippets.map(({ locator }, index) => ({ id: `evidence-${index + 1}`, locator }));
  const said = [
    ...(spans?.summary ?? []).map((locator, index) => ({ id: `summary-${index + 1}`, locator })),
    ...(spans?.key_points ?? []).map((locator, index) => ({ id: `point-${index + 1}`, locator })),
  ];
  const placed = placeAll(text, [...quotes, ...said]);
  const evidence = placed.slice(0, quotes.length).map((mark, index) => ({
    ...mark,
    number: index + 1,
    score: snippets[index]?.relevance_score ?? 0,
  }));
  const isPlaced = ({ start, end }: Span): boolean => end > start;
  return {
    evidence: apart(evidence.filter(isPlaced).sort(inOrder)),
    sentences: placed.slice(quotes.length).filter(isPlaced).sort(inOrder),
  };
}

/** Our own evidence never overlaps; in a payload made elsewhere, an overlapping part is marked only once. */
function apart(marks: readonly EvidenceMark[]): readonly EvidenceMark[] {
  let reached = 0;
  return marks.flatMap((mark) => {
    const start = Math.max(mark.start, reached);
    if (start >= mark.end) return [];
    reached = mark.end;
    return [{ ...mark, start }];
  });
}
