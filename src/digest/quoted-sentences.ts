/** Sentences of a summary, roughly: a piece of one is in the document wherever the whole is. */
export function sentencesOf(summary: string): readonly string[] {
  const pieces = summary.match(/[^.!?。！？।؟]*[.!?。！？।؟]+["'”’»)\]]*|[^.!?。！？।؟]+$/gu) ?? [];
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== "");
}

/** How many of some texts stand in a document word for word. */
export function countQuoted(
  text: string,
  quotes: readonly string[],
): { readonly found: number; readonly total: number } {
  return { found: quotes.filter((quote) => text.includes(quote)).length, total: quotes.length };
}
