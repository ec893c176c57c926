const units = [
  ["d", 24 * 60 * 60 * 1_000],
  ["h", 60 * 60 * 1_000],
  ["min", 60 * 1_000],
] as const;

/** A length of time in its largest unit, rounded down: `6 d`, `3 h`, `12 min`, `0 s`. */
export function formatDuration(durationMs: number): string {
  const length = Math.max(0, durationMs);
  const found = units.find(([, unitMs]) => length >= unitMs);
  const [unit, unitMs] = found ?? ["s", 1_000];
  return `${Math.floor(length / unitMs)} ${unit}`;
}
