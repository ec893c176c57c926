// The distance costs the product of both lengths, and the words may come from a client.
const MAX_CANDIDATES = 400;
const MAX_LENGTH = 100;

/** The known word that a misspelt one most likely meant, the first among equals; undefined if none is close. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const plain = normalise(word);
  if (plain.length === 0) return undefined;
  let best: string | undefined;
  let bestDistance = Math.min(plain.length, Math.max(1, Math.floor(plain.length / 3)) + 1);
  for (const candidate of known.slice(0, MAX_CANDIDATES)) {
    if (candidate.length > MAX_LENGTH) continue;
    const other = normalise(candidate);
    if (Math.abs(other.length - plain.length) >= bestDistance) continue;
    const distance = editDistance(plain, other);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** What to do about an unknown key: names the key that was meant, or all known keys. */
export function adviseKey(word: string, known: readonly string[]): string {
  const meant = didYouMean(word, known);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  return known.length === 0 ? "Remove it." : `Choose one of ${known.join(", ")}.`;
}

/** What to do about an unknown name: names the one that was meant, if any, and all that are allowed. */
export function adviseName(word: string, allowed: readonly string[]): string {
  const meant = didYouMean(word, allowed);
  const hint = meant === undefined ? "" : `Did you mean "${meant}"? `;
  return `${hint}Choose one of ${allowed.join(", ")}.`;
}

// camelCase, kebab-case and snake_case of one name are the same word.
function normalise(word: string): string {
  return word.replaceAll(/[_\-\s]/g, "").toLowerCase();
}

/** Insertions, deletions, substitutions and swaps of neighbours each count one. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[right.length] ?? 0;
}
