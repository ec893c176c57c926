import { printable } from "./format-values.ts";

/** Rows with their columns aligned; the last column is not padded. */
export function alignRows(rows: readonly (readonly string[])[], gap = 2): string[] {
  const safe = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of safe) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, lengthOf(cell))));
  }
  return safe.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - lengthOf(cell) + gap))
      .join("")
      .trimEnd(),
  );
}

function lengthOf(cell: string): number {
  return Array.from(cell).length;
}

// Characters that fill two columns of a terminal.
const WIDE =
  /\p{Emoji_Presentation}|\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Hangul}|[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;
const NO_WIDTH = /\p{M}|\p{Cf}/u;

function widthOf(character: string): number {
  if (character.charCodeAt(0) < 0x300) return 1;
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Text in lines of at most this many columns: broken at spaces, in long words, and between wide characters. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  const endLine = (): void => {
    lines.push(line);
    [line, used] = ["", 0];
  };
  for (const word of printable(text.replaceAll(/\s+/gu, " ").trim()).split(" ")) {
    const characters = Array.from(word, (character) => [character, widthOf(character)] as const);
    // In scripts without spaces a line may end after any character.
    const together = WIDE.test(word) ? characters.slice(0, 1) : characters;
    const width = together.reduce((sum, [, own]) => sum + own, 0);
    if (used > 0 && used + 1 + width <= columns) {
      line += " ";
      used++;
    } else if (used > 0) endLine();
    for (const [character, own] of characters) {
      if (used + own > columns && used > 0) endLine();
      line += character;
      used += own;
    }
  }
  if (line !== "") endLine();
  return lines;
}
