import type { BlockKind, DocumentBlock, Page, Span } from "../document.ts";

/** A range of a text that is split into units separately: a page, or a block of a page. */
export interface Segment extends Span {
  readonly kind: BlockKind;
  readonly opensPage: boolean;
  /** Whether a blank line, or nothing, comes before it. */
  readonly opensParagraph: boolean;
  /** Whether the format marks its beginning and end; in plain text a sentence may continue in the next paragraph. */
  readonly isMarked: boolean;
}

/** The parts of a text, in order; without blocks, its pages. Text between two blocks is prose. */
export function* segmentsOf(
  text: string,
  pages: readonly Page[] | undefined,
  blocks: readonly DocumentBlock[] | undefined,
): Generator<Segment> {
  if (blocks === undefined || pages !== undefined) {
    for (const { start, end } of pages ?? [{ start: 0, end: text.length }])
      yield { start, end, kind: "prose", opensPage: true, opensParagraph: true, isMarked: false };
    return;
  }
  let at = 0;
  const segment = (start: number, end: number, kind: BlockKind): Segment => ({
    start,
    end,
    kind,
    opensPage: start === 0,
    opensParagraph: start === 0 || text.slice(Math.max(0, start - 2), start) === "\n\n",
    isMarked: true,
  });
  for (const { start, end, kind } of blocks) {
    if (text.slice(at, start).trim() !== "") yield segment(at, start, "prose");
    yield segment(start, end, kind);
    at = end;
  }
  if (at < text.length) yield segment(at, text.length, "prose");
}
