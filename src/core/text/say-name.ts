// A name that a sentence of ours takes from data: a key, a tool, an id, an argument. Whoever wrote the data chose it, so
// it must not read as a sentence of ours: it is quoted, cut, and what cannot be seen in it is made visible. A plain word
// or path stands without quotes, as the source documents have it: "3 findings omitted due to token limits",
// "File not found: /missing.py".

const plainWord = /^[\p{L}\p{M}\p{N}_./-]{1,60}$/u;

/** As much of a name as a sentence shows, in whole characters. */
const shownPart = /^[^]{0,60}/u;

/** Control characters, marks that change the direction of writing, joiners without width, line and paragraph ends. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A name between quotes, whatever it is. */
export function quoteName(name: string): string {
  const shown = shownPart.exec(name)?.[0] ?? "";
  // JSON knows \n, \t and the quote itself; what else cannot be seen is written by its number.
  return JSON.stringify(shown === name ? name : `${shown}…`).replace(
    unseen,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** A name as it stands in a sentence: a plain word as it is, anything else between quotes. */
export function sayName(name: string): string {
  return plainWord.test(name) ? name : quoteName(name);
}

/** Names in a row. */
export function sayNames(names: readonly string[]): string {
  return names.map(sayName).join(", ");
}
