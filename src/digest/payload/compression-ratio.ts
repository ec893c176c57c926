/** Payloads written elsewhere round later, or not at all. */
export const RATIO_TOLERANCE = 0.0001;

/** The share of the original that a digest takes, to four decimals. */
export function ratioOf(digestChars: number, originalChars: number): number {
  return originalChars === 0 ? 0 : Math.round((digestChars / originalChars) * 10_000) / 10_000;
}
