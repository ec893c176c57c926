interface TextPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export const START: TextPosition = { offset: 0, line: 1, column: 1 };

/** Moves a position forward to an offset, counting the line feeds in between. */
export function advancePosition(text: string, from: TextPosition, offset: number): TextPosition {
  let { line, column } = from;
  let start = from.offset;
  for (let feed = text.indexOf("\n", start); feed !== -1 && feed < offset; feed = text.indexOf("\n", start)) {
    line++;
    column = 1;
    start = feed + 1;
  }
  column += offset - start;
  return { offset, line, column };
}
