/** Offset in UTF-16 units of a number of code points further on; the length of the text when it ends before. */
function skipCodePoints(text: string, from: number, codePoints: number): number {
  let offset = from;
  for (let left = codePoints; left > 0 && offset < text.length; left--) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/** The piece of a text between two counts of code points, the second one left out. */
export function codePointSlice(text: string, start: number, end: number): string {
  const from = skipCodePoints(text, 0, start);
  return text.slice(from, skipCodePoints(text, from, end - start));
}
