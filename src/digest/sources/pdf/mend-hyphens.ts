/** Stands after a hyphen at which a line ended, until all pages are read. No page text holds it otherwise. */
export const LINE_END_HYPHEN = "\u00ad";

// Words begin at their beginning and are no longer than words are: without either, long runs of letters cost squares.
const broken = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{1,40})[-\u2010]\u00ad([\p{L}\p{M}]{1,40})/gu;
const compound = /(?<![\p{L}\p{M}])[\p{L}\p{M}]{1,40}[-\u2010][\p{L}\p{M}]{1,40}/gu;

/**
 * Puts words together that were divided at the end of a line. Whether the hyphen was there only for the line's sake
 * cannot be seen in a PDF, so the document decides: written with a hyphen inside a line elsewhere, a word keeps it.
 */
export function mendHyphens(pages: readonly string[]): readonly string[] {
  if (!pages.some((page) => page.includes(LINE_END_HYPHEN))) return pages;
  const compounds = new Set<string>();
  for (const page of pages)
    for (const [word] of page.matchAll(compound)) compounds.add(word.replace("\u2010", "-").toLowerCase());
  return pages.map((page) =>
    page.includes(LINE_END_HYPHEN)
      ? page
          .replaceAll(broken, (_, head: string, tail: string) =>
            compounds.has(`${head}-${tail}`.toLowerCase()) ? `${head}-${tail}` : head + tail,
          )
          .replaceAll(LINE_END_HYPHEN, "")
      : page,
  );
}
