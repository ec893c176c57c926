/** A range of text to be masked. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/**
 * Judges one trigger, between `at` and `end`. `from` is the end of the last finding: nothing before it may be claimed
 * again. The work for a refused place is bounded, so that a hostile text takes only linear time.
 */
export type Finder = (text: string, at: number, end: number, from: number) => Finding | undefined;

const anyMask = /\[REDACTED:[A-Z0-9_]{1,64}\]/g;
const maskHere = /\[REDACTED:[A-Z0-9_]{1,64}\]/y;

export function maskOf(label: string): string {
  return `[REDACTED:${label}]`;
}

/** A label as masks contain it: upper case, digits, underscores. */
export function toLabel(name: string): string {
  const label = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
  return label === "" ? "CUSTOM" : label.slice(0, 64);
}

export function withoutMasks(value: string): string {
  return value.replaceAll(anyMask, "");
}

/** True if the value is only masks, so that nothing is left to hide. */
export function isMasked(value: string): boolean {
  return value.startsWith("[REDACTED:") && withoutMasks(value) === "";
}

/** The end of the mask that starts here; `at` itself if there is none. */
export function skipMask(text: string, at: number): number {
  if (text.charCodeAt(at) !== 91) return at;
  maskHere.lastIndex = at;
  return maskHere.test(text) ? maskHere.lastIndex : at;
}

/** The ranges that masks cover, in order. */
export function maskedStretches(text: string): { start: number; end: number }[] {
  if (!text.includes("[REDACTED:")) return [];
  return [...text.matchAll(anyMask)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/** The last mask of a text. */
export function lastMask(text: string): string | undefined {
  return text.match(anyMask)?.at(-1);
}
