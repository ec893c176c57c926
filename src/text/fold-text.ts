/** A text made comparable, and the same text with its case where both have the same offsets. */
export interface FoldedText {
  readonly folded: string;
  /** Undefined where folding moved offsets: camelCase humps are then not seen. */
  readonly cased: string | undefined;
}

const NON_ASCII = /[^\0-\u007f]/;

/** Compatibility forms, composed and decomposed letters, and upper and lower case compare as equal. */
export function foldText(text: string): FoldedText {
  if (!NON_ASCII.test(text)) return { folded: text.toLowerCase(), cased: text };
  const cased = text.normalize("NFKC");
  // Whether a sigma is final depends on what follows it, which a word taken out of its text has lost.
  const folded = cased.toLowerCase().replaceAll("ς", "σ");
  return { folded, cased: folded.length === cased.length ? cased : undefined };
}
