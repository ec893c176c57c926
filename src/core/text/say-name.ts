// A name from data in one of our sentences: a key, a tool, an id, an argument. The writer of the data chose it, so it
// must not read like a sentence of ours: it is quoted and cut, and its invisible characters are made visible. A plain
// word or path has no quotes, as in the source documents: "3 findings omitted due to token limits", "File not found:
// /missing.py".

const plainWord = /^[\p{L}\p{M}\p{N}_./-]{1,60}$/u;

/** The part of a name that a sentence shows, in whole characters. */
const shownPart = /^[^]{0,60}/u;

/** Control characters, marks that change the direction of writing, joiners without width, line and paragraph ends. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A name in quotes, whatever it is. */
export function quoteName(name: string): string {
  const shown = shownPart.exec(name)?.[0] ?? "";
  // JSON escapes \n, \t and the quote itself; other invisible characters are written by number.
  return JSON.stringify(shown === name ? name : `${shown}…`).replace(
    unseen,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** A name for a sentence: a plain word as it is, anything else in quotes. */
export function sayName(name: string): string {
  return plainWord.test(name) ? name : quoteName(name);
}

/** Names, separated by commas. */
export function sayNames(names: readonly string[]): string {
  return names.map(sayName).join(", ");
}

/**
 * Control characters could move the cursor or recolour the terminal. Direction marks could reorder what is read,
 * joiners and tags could hide in it, and line and paragraph ends could begin a new line.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

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

// The colour codes of terminals, and no other control sequences.
// oxlint-disable-next-line no-control-regex -- colours are control characters
const colour = /(\u001B\[\d{1,2}m)/;

/** Like `printable`, for a terminal with colours: those stay. */
export function printableColors(text: string): string {
  // Every second part is a colour: split keeps what the group matches.
  return text
    .split(colour)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("");
}
