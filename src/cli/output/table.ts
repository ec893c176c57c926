import { printable } from "./printable.ts";

/** Rows with their columns aligned; the last column is not padded. */
export function alignRows(rows: readonly (readonly string[])[], gap = 2): string[] {
  const safe = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of safe) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, widthOf(cell))));
  }
  return safe.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell) + gap))
      .join("")
      .trimEnd(),
  );
}

function widthOf(cell: string): number {
  return Array.from(cell).length;
}
