// Lengths of texts, as the contract counts them: in characters (code points) and in lines.

const ASTRAL = /[\ud800-\udbff]/;

/** Lengths in the contract count Unicode code points, as the systems it came from do; JS strings count UTF-16 units. */
export function countCodePoints(text: string): number {
  let count = text.length;
  // Most texts have no surrogate pairs, and a regular expression finds that out many times faster than a loop.
  if (!ASTRAL.test(text)) return count;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--;
        index++;
      }
    }
  }
  return count;
}

/** How many lines a text has; a line end at the end of the text does not start another line. */
export function countLines(text: string): number {
  const ends = countLineEnds(text);
  return text === "" || text.endsWith("\n") ? ends : ends + 1;
}

export function countLineEnds(text: string): number {
  let ends = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) ends++;
  return ends;
}

/** The first characters of a text, never half a character; a short text is returned unchanged. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}
