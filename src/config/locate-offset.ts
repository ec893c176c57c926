import type { Place } from "./place.ts";

export type Locate = (offset: number) => Place;

/** Turns offsets of a text into line and column, both from 1; columns are UTF-16 units, as editors count. */
export function createLocator(text: string, file: string): Locate {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
