const CONTEXT_LENGTH = 24;

function excerpt(points: readonly string[], from: number): string {
  const part = points.slice(from, from + CONTEXT_LENGTH).join("");
  return part === "" ? "the end" : JSON.stringify(part);
}

/** Where two texts part for the first time, in code points, and how each goes on from there. */
export function firstDifference(said: string, found: string, start: number): string {
  const [left, right] = [Array.from(said), Array.from(found)];
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  return `differs at character ${start + at}: the digest has ${excerpt(left, at)}, the document ${excerpt(right, at)}`;
}
