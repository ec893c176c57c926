// Control characters could move the cursor or recolour the terminal; the bidi controls could reorder what is read.
const unsafe = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Text from a response or a path, safe to show: what a terminal would act on is written as an escape. */
export function printable(text: string): string {
  return text.replaceAll(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
