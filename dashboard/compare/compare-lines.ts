// What two texts have in common, line by line. Lines that occur once on each side are the anchors; between them the
// same is done again, so that a long text costs little more than reading it. A small rest is compared exactly.

/** A pair of equal lines: their places on the left and on the right. */
type Pair = readonly [left: number, right: number];

/** A rest with at most this many pairs of lines is compared exactly. */
const EXACT_PAIRS = 40_000;

interface Range {
  readonly fromLeft: number;
  readonly toLeft: number;
  readonly fromRight: number;
  readonly toRight: number;
}

/** The longest run of anchors in which both sides rise: patience sorting. */
function rising(anchors: readonly Pair[]): Pair[] {
  const tops: number[] = [];
  const before: number[] = [];
  const rightOf = (index: number | undefined): number => anchors[index ?? -1]?.[1] ?? -1;
  anchors.forEach(([, right], index) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rightOf(tops[middle]) < right) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (tops[low - 1] ?? -1);
    tops[low] = index;
  });
  const run: Pair[] = [];
  for (let index = tops.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const anchor = anchors[index];
    if (anchor !== undefined) run.push(anchor);
  }
  return run.reverse();
}

function anchorsIn(left: readonly string[], right: readonly string[], range: Range): Pair[] {
  const places = new Map<string, { left: number; right: number; isTwice: boolean }>();
  for (let at = range.fromLeft; at < range.toLeft; at += 1) {
    const line = left[at] ?? "";
    const place = places.get(line);
    if (place === undefined) places.set(line, { left: at, right: -1, isTwice: false });
    else place.isTwice = true;
  }
  for (let at = range.fromRight; at < range.toRight; at += 1) {
    const place = places.get(right[at] ?? "");
    if (place === undefined) continue;
    if (place.right === -1) place.right = at;
    else place.isTwice = true;
  }
  return [...places.values()]
    .filter((place) => !place.isTwice && place.right !== -1)
    .map((place) => [place.left, place.right]);
}

function exactPairs(left: readonly string[], right: readonly string[], range: Range): Pair[] {
  const height = range.toLeft - range.fromLeft;
  const width = range.toRight - range.fromRight;
  if (height * width > EXACT_PAIRS) return [];
  const longest = new Uint32Array((height + 1) * (width + 1));
  const at = (row: number, column: number): number => longest[row * (width + 1) + column] ?? 0;
  const isEqual = (row: number, column: number): boolean =>
    left[range.fromLeft + row] === right[range.fromRight + column];
  for (let row = height - 1; row >= 0; row -= 1)
    for (let column = width - 1; column >= 0; column -= 1)
      longest[row * (width + 1) + column] = isEqual(row, column)
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
  const pairs: Pair[] = [];
  for (let row = 0, column = 0; row < height && column < width;) {
    if (isEqual(row, column)) {
      pairs.push([range.fromLeft + row, range.fromRight + column]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** Equal lines of both texts, in their order. */
export function compareLines(left: readonly string[], right: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  const open: Range[] = [{ fromLeft: 0, toLeft: left.length, fromRight: 0, toRight: right.length }];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    let { fromLeft, toLeft, fromRight, toRight } = range;
    while (fromLeft < toLeft && fromRight < toRight && left[fromLeft] === right[fromRight])
      pairs.push([fromLeft++, fromRight++]);
    while (fromLeft < toLeft && fromRight < toRight && left[toLeft - 1] === right[toRight - 1])
      pairs.push([--toLeft, --toRight]);
    if (fromLeft === toLeft || fromRight === toRight) continue;
    const rest = { fromLeft, toLeft, fromRight, toRight };
    const anchors = rising(anchorsIn(left, right, rest));
    if (anchors.length === 0) {
      pairs.push(...exactPairs(left, right, rest));
      continue;
    }
    pairs.push(...anchors);
    for (const [leftAt, rightAt] of [...anchors, [toLeft, toRight] as const]) {
      open.push({ fromLeft, toLeft: leftAt, fromRight, toRight: rightAt });
      [fromLeft, fromRight] = [leftAt + 1, rightAt + 1];
    }
  }
  return pairs.sort((one, other) => one[0] - other[0]);
}
