const units = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** A size for people: `512 bytes`, `1.5 MiB`, `1 GiB`. */
export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024;
  return `${Number(size.toFixed(1))} ${units[unit] ?? ""}`;
}
