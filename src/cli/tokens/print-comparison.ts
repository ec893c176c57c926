import { type Encoding, tokenEncodings } from "../../core/tokens/token-counter.ts";
import { formatCount } from "../../core/report/page-text.ts";
import { printable } from "../output/format-values.ts";
import type { Paint } from "../report.ts";
import type { Comparison, FormCost, PayloadForm } from "./write-forms.ts";

interface PrintOptions {
  /** The encoding that the bars show. */
  readonly encoding: Encoding;
  readonly columns?: number | undefined;
}

const DEFAULT_COLUMNS = 80;
const MAX_COLUMNS = 120;
const MIN_BAR = 10;
/** From empty to seven eighths of a cell. */
const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

/** The name of a form: `cut to 8,000` includes its budget. */
export function nameOf(form: PayloadForm, { budget_tokens }: Pick<Comparison, "budget_tokens">): string {
  const names: Readonly<Record<PayloadForm, string>> = {
    as_given: "as given",
    minified: "minified",
    tables: "tables",
    toon: "TOON",
    envelope: "envelope",
    cut: `cut to ${formatCount(budget_tokens)}`,
  };
  return names[form];
}

/** A bar for each form; the longest fills the width. */
export function printComparison(comparison: Comparison, options: PrintOptions, paint: Paint): string {
  const { source, bytes, forms } = comparison;
  const { encoding, columns = DEFAULT_COLUMNS } = options;
  const rows = forms.map((cost) => cellsOf(cost, comparison, encoding));
  const widths = headOf(encoding).map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const align = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ");
  const used = widths.reduce((sum, width) => sum + width + 2, 0);
  const barCells = Math.max(MIN_BAR, Math.min(columns, MAX_COLUMNS) - used);
  const largest = Math.max(1, ...forms.map(({ tokens }) => tokens?.[encoding] ?? 0));
  const lines = forms.map((cost, index) => {
    const bar = drawBar((cost.tokens?.[encoding] ?? 0) / largest, barCells);
    return `${align(rows[index] ?? [])}  ${paintBar(cost, bar, paint)}`.trimEnd();
  });
  return [
    `${paint.bold(printable(source))}, ${formatCount(bytes)} bytes`,
    paint.dim(align(headOf(encoding)).trimEnd()),
    ...lines,
    ...remarksOf(comparison).map((line) => paint.dim(line)),
  ].join("\n");
}

/** One line for each remark, after the forms it is about. */
function remarksOf(comparison: Comparison): readonly string[] {
  const about = new Map<string, string[]>();
  for (const { form, remark } of comparison.forms) {
    if (remark !== null) about.set(remark, [...(about.get(remark) ?? []), nameOf(form, comparison)]);
  }
  return [...about].map(([remark, names]) => `${names.join("; ")}: ${remark}`);
}

/** The encoding that the bars show is next to its savings. */
function headOf(encoding: Encoding): readonly string[] {
  return ["tokens", ...inOrder(encoding), "saved"];
}

function inOrder(encoding: Encoding): readonly Encoding[] {
  return [...tokenEncodings.filter((one) => one !== encoding), encoding];
}

function cellsOf(
  { form, tokens, saved_percent: saved }: FormCost,
  comparison: Comparison,
  encoding: Encoding,
): readonly string[] {
  const counts = inOrder(encoding).map((one) => (tokens === null ? "-" : formatCount(tokens[one])));
  const share = saved === null || form === "as_given" ? "" : `${saved[encoding].toFixed(1)} %`;
  return [nameOf(form, comparison), ...counts, share];
}

function drawBar(share: number, cells: number): string {
  if (share === 0) return "";
  // A cost above zero always shows a bar, however small.
  const parts = Math.max(1, Math.round(share * cells * eighths.length));
  return "█".repeat(Math.floor(parts / eighths.length)) + (eighths[parts % eighths.length] ?? "");
}

function paintBar({ form, reads_back: readsBack }: FormCost, bar: string, paint: Paint): string {
  if (readsBack === "changed") return paint.red(bar);
  if (readsBack === "in_part") return paint.yellow(bar);
  return form === "as_given" ? bar : paint.green(bar);
}
