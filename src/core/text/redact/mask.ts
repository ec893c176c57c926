/** A stretch of text to be masked. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/**
 * Judges one place where a trigger stands, between `at` and `end`. `from` is the end of the last finding: nothing
 * before it may be claimed again. Work on a place that is refused is bounded, so that a hostile text stays linear.
 */
export type Finder = (text: string, at: number, end: number, from: number) => Finding | undefined;

const anyMask = /\[REDACTED:[A-Z0-9_]{1,64}\]/g;
const maskHere = /\[REDACTED:[A-Z0-9_]{1,64}\]/y;

export function maskOf(label: string): string {
  return `[REDACTED:${label}]`;
}

/** A label as it stands in a mask: upper case, digits, underscores. */
export function toLabel(name: string): string {
  const label = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
  return label === "" ? "CUSTOM" : label.slice(0, 64);
}

export function withoutMasks(value: string): string {
  return value.replaceAll(anyMask, "");
}

/** True when masks are all there is, so that nothing is left to hide. */
export function isMasked(value: string): boolean {
  return value.startsWith("[REDACTED:") && withoutMasks(value) === "";
}

/** Where the mask that starts here ends; `at` itself when none does. */
export function skipMask(text: string, at: number): number {
  if (text.charCodeAt(at) !== 91) return at;
  maskHere.lastIndex = at;
  return maskHere.test(text) ? maskHere.lastIndex : at;
}

/** The stretches that masks cover, in order. */
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
