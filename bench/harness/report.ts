import { mkdirSync, writeFileSync } from "node:fs";

/** Prints rows as an aligned Markdown table. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  console.log(line(head));
  console.log(line(widths.map((width) => "-".repeat(width))));
  for (const row of rows) console.log(line(row));
}

/** Writes a bench's figures to `bench/results/<name>.json`, with the machine they came from. */
export function writeResults(name: string, figures: unknown): void {
  const folder = new URL("../results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  const report = { bench: name, node: process.version, arch: process.arch, figures };
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(report, null, 2)}\n`);
  console.log(`\nFigures written to bench/results/${name}.json`);
}
