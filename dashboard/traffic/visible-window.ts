// Which rows of a long list are drawn. All rows have the same height, so that 100,000 cost as much as 40.

export interface VisibleWindow {
  /** The first row that is drawn, and the first behind it that is not. */
  readonly first: number;
  readonly end: number;
}

/** Rows that are drawn above and below what can be seen, so that scrolling shows no holes. */
const EXTRA = 8;

export function visibleWindow(
  scrollTop: number,
  viewHeight: number,
  rowHeight: number,
  count: number,
): VisibleWindow {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight) - EXTRA;
  const end = Math.ceil((Math.max(0, scrollTop) + viewHeight) / rowHeight) + EXTRA;
  return { first: Math.max(0, Math.min(first, count)), end: Math.max(0, Math.min(end, count)) };
}

/** Where to scroll so that a row is whole in view; the same place where it already is. */
export function scrollToShow(row: number, scrollTop: number, viewHeight: number, rowHeight: number): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  const bottom = top + rowHeight;
  return bottom > scrollTop + viewHeight ? bottom - viewHeight : scrollTop;
}

/** The row that a key leads to; undefined for keys that lead nowhere. */
export function rowAfterKey(
  key: string,
  row: number | undefined,
  count: number,
  rowsInView: number,
): number | undefined {
  const page = Math.max(1, rowsInView - 1);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -Infinity,
    End: Infinity,
  };
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step === undefined || count === 0) return undefined;
  // The first key goes to the first row, whichever it is.
  if (row === undefined) return step === Infinity ? count - 1 : 0;
  return Math.max(0, Math.min(count - 1, row + step));
}
