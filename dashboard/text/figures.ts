// Numbers as people read them: short, and with the same width in a column.

const whole = new Intl.NumberFormat("en");
const units = ["", "k", "M", "G", "T"] as const;
const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** 1,234,567. */
export function formatCount(count: number): string {
  return whole.format(Math.round(count));
}

/** Three digits: `999`, `1.23k`, `45.6k`, `7.89M`. */
export function formatShort(count: number): string {
  const sign = count < 0 ? "\u2212" : "";
  let size = Math.abs(Math.round(count));
  let unit = 0;
  // 999.5 of a unit would be shown as 1000 of it.
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${sign}${unit === 0 ? size : size.toFixed(digitsAfter(size))}${units[unit]}`;
}

function digitsAfter(size: number): number {
  if (size < 9.995) return 2;
  return size < 99.95 ? 1 : 0;
}

/** `0.04 ms`, `12 ms`, `1.23 s`, `4.2 min`. */
export function formatMs(ms: number): string {
  if (ms === 0) return "0 ms";
  if (ms < 0.01) return "<0.01 ms";
  if (ms < 0.995) return `${ms.toFixed(2)} ms`;
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(digitsAfter(ms / 1_000))} s`;
  return `${(ms / 60_000).toFixed(1)} min`;
}

/** A part of a whole: `0 %`, `0.4 %`, `37 %`. Never 0 % or 100 % where it is not quite that. */
export function formatShare(part: number, of: number): string {
  if (of <= 0 || part === 0) return "0 %";
  const percent = (part / of) * 100;
  const size = Math.abs(percent);
  const sign = percent < 0 ? "\u2212" : "";
  if (size < 0.1) return `${sign}<0.1 %`;
  if (size < 9.95) return `${sign}${size.toFixed(1)} %`;
  if (size < 100 && size >= 99.5) return `${sign}>99 %`;
  return `${sign}${Math.round(size)} %`;
}

/** `512 B`, `1.5 KiB`, `32 MiB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1_023.5 && unit < byteUnits.length - 1) {
    size /= 1_024;
    unit += 1;
  }
  return `${size < 9.95 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${byteUnits[unit]}`;
}

/** How long ago or how long: `8 s`, `5 min`, `3 h`, `2 d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** The time of day here, `14:03:07`. */
export function formatClock(atMs: number): string {
  const at = new Date(atMs);
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

/** `2026-11-16`, here. */
export function formatDay(atMs: number): string {
  const at = new Date(atMs);
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return day.map((part) => String(part).padStart(2, "0")).join("-");
}

/** `2026-11-16 14:03:07`, here. */
export function formatMoment(atMs: number): string {
  return `${formatDay(atMs)} ${formatClock(atMs)}`;
}

/** `1 call`, `2 calls`. */
export function formatMany(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
