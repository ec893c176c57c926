/** `312,000`: the same wherever the page is made. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** `0.83` */
export function formatScore(score: number): string {
  return score.toFixed(2);
}

const NO_BREAK_SPACE = "\u00a0";

/** A share to two significant digits: `1.5 %`, `41 %`, `0.00034 %`; payloads round theirs, to 0 for a long document. */
export function formatShare(share: number): string {
  return `${Number((share * 100).toPrecision(2))}${NO_BREAK_SPACE}%`;
}
