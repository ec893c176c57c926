// A length of time as people write it: a whole number and a unit, such as 30s or 7d.

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const SPAN = /^(\d{1,9})(ms|s|m|h|d|w)$/;

/** The milliseconds of `1d`, `12h`, `30m`, `90s`, `500ms` or `2w`; undefined for any other text, and for no time at all. */
export function spanMs(text: string): number | undefined {
  const [, count, unit = ""] = SPAN.exec(text.trim()) ?? [];
  const ms = count === undefined ? 0 : Number(count) * (UNITS_MS[unit] ?? 0);
  return ms > 0 ? ms : undefined;
}

export interface SpanRange {
  /** Both ends are allowed. */
  readonly min: string;
  readonly max: string;
  /** The word "off" is allowed too. */
  readonly off?: true;
}

/** What is wrong with a text that should be a length of time, as advice; undefined if nothing is. */
export function spanProblem(text: string, { min, max, off }: SpanRange): string | undefined {
  if (off === true && text === "off") return undefined;
  const ms = spanMs(text);
  const isWithin = ms !== undefined && ms >= (spanMs(min) ?? 0) && ms <= (spanMs(max) ?? Infinity);
  const orOff = off === true ? ', or "off"' : "";
  return isWithin
    ? undefined
    : `Write a number with a unit (ms, s, m, h, d, w), such as "12h", from ${min} to ${max}${orOff}.`;
}
