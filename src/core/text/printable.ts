/**
 * Control characters could move the cursor or recolour the terminal. Direction marks could reorder what is read,
 * joiners and tags could hide in it, and line and paragraph ends could begin a new line.
 */
export const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** By its UTF-16 units, so that JSON stays the same JSON. */
function escapeOf(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Untrusted text, safe to show: characters that a terminal would act on are written as escapes. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, escapeOf);
}
