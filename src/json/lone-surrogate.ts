const ESCAPED_BACKSLASH = /\\\\u/;
const UNPAIRED_ESCAPE =
  /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F]/;

/** Whether a string holds half a surrogate pair, which UTF-8 cannot carry. */
export function hasLoneSurrogate(text: string): boolean {
  // In every runtime since 2023; the es2023 library of TypeScript does not know it yet.
  return !(text as unknown as { isWellFormed(): boolean }).isWellFormed();
}

/** False only if no string in the JSON text can hold a lone surrogate, raw or escaped. */
export function mayHoldLoneSurrogate(text: string): boolean {
  if (hasLoneSurrogate(text)) return true;
  if (!text.includes("\\ud") && !text.includes("\\uD")) return false;
  // After an escaped backslash, "ud83d" is plain text and pairs with nothing.
  return ESCAPED_BACKSLASH.test(text) || UNPAIRED_ESCAPE.test(text);
}
