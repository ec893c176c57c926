const highSurrogate = /[\ud800-\udbff]/;

function isPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

/**
 * Converts offsets between UTF-16 units and code points, all in one pass over the text. An offset after the
 * end is undefined.
 */
function convert(
  text: string,
  offsets: readonly number[],
  from: "units" | "points",
): readonly (number | undefined)[] {
  if (!highSurrogate.test(text)) {
    return offsets.map((offset) => (offset <= text.length ? offset : undefined));
  }
  const order = [...offsets.keys()].sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0));
  const found: (number | undefined)[] = offsets.map(() => undefined);
  let units = 0;
  let points = 0;
  for (const index of order) {
    const wanted = offsets[index] ?? 0;
    while (units < text.length && (from === "units" ? units : points) < wanted) {
      units += isPair(text, units) ? 2 : 1;
      points++;
    }
    const reached = from === "units" ? units : points;
    if (reached >= wanted) found[index] = from === "units" ? points : units;
  }
  return found;
}

/** Offsets of a JavaScript string in code points, as contracts count. */
export function toCodePoints(text: string, units: readonly number[]): readonly (number | undefined)[] {
  return convert(text, units, "units");
}

/** Offsets of a contract in UTF-16 units, as JavaScript slices. */
export function toUnits(text: string, points: readonly number[]): readonly (number | undefined)[] {
  return convert(text, points, "points");
}
