/**
 * Control characters could move the cursor or recolour the terminal. Marks of direction could reorder what is read,
 * joiners and tags could hide in it, and line and paragraph ends could begin a line of their own.
 */
export const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** By its UTF-16 units, so that what was JSON is the same JSON afterwards. */
function escapeOf(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Text of a stranger, safe to show: what a terminal would act on is written as an escape. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, escapeOf);
}
