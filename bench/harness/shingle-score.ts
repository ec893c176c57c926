const word = /[\p{L}\p{N}_]+/gu;
const SHINGLE_WORDS = 4;

/** How much of a page's true text was found, was found in addition, and is missing; together 1. */
export interface Overlap {
  readonly found: number;
  readonly extra: number;
  readonly missing: number;
}

export interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

function shinglesOf(text: string): Map<string, number> {
  const words = text.match(word) ?? [];
  const counts = new Map<string, number>();
  for (let start = 0; start < Math.max(1, words.length - SHINGLE_WORDS + 1); start++) {
    const shingle = words.slice(start, start + SHINGLE_WORDS).join(" ");
    counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  }
  return counts;
}

/** Multiset overlap of runs of four words, so that a long page weighs no more than a short one. */
export function overlapOf(truth: string, text: string): Overlap {
  const wanted = shinglesOf(truth);
  const got = shinglesOf(text);
  let found = 0;
  let extra = 0;
  let missing = 0;
  for (const shingle of new Set([...wanted.keys(), ...got.keys()])) {
    const difference = (got.get(shingle) ?? 0) - (wanted.get(shingle) ?? 0);
    found += Math.min(got.get(shingle) ?? 0, wanted.get(shingle) ?? 0);
    extra += Math.max(0, difference);
    missing += Math.max(0, -difference);
  }
  const sum = found + extra + missing;
  return { found: found / sum, extra: extra / sum, missing: missing / sum };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Precision and recall averaged over pages, then F1. */
export function scoreOf(overlaps: readonly Overlap[]): Score {
  const precision = mean(
    overlaps
      .filter(({ found, extra }) => found + extra > 0)
      .map(({ found, extra }) => found / (found + extra)),
  );
  const recall = mean(
    overlaps
      .filter(({ found, missing }) => found + missing > 0)
      .map(({ found, missing }) => found / (found + missing)),
  );
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}
