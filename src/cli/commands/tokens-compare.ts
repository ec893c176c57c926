import type { JsonObject } from "../../core/json/json-value.ts";
import { type Encoding, tokenEncodings } from "../../core/tokens/token-counter.ts";
import { defaultSettings } from "../../engine/settings/settings.ts";
import { type CliIo, CliError, exitCodes } from "../cli-io.ts";
import { chooseInputs, readInput, readTextInput, refuseOwnSource, writeOutput } from "../input/read-input.ts";
import { formatBytes, printable, shellWord } from "../output/format-values.ts";
import type { CommandReport, Paint } from "../report.ts";
import {
  type FormComparison,
  TOON_PACKAGE,
  compareForms,
  type FormCost,
  formName,
} from "../tokens/write-forms.ts";
import { formatCount } from "../../core/report/page-text.ts";

export interface CompareOptions {
  /** The encoding that the bars show; both are counted. */
  readonly encoding: Encoding;
  readonly html?: string | undefined;
}

/** Shows what one payload costs a model in each form it could be sent in. */
export async function compareTokens(
  files: readonly string[],
  { encoding, html }: CompareOptions,
  io: CliIo,
): Promise<CommandReport> {
  const [file = "-", ...others] = chooseInputs(files, io);
  if (others.length > 0)
    throw new CliError(`--compare takes one file, not ${files.length}.`, {
      remediation: "Compare them one after the other.",
    });
  if (html === "-") throw new CliError("--html needs a file: give its name.");
  if (html !== undefined) await refuseOwnSource("--html", html, file, io);
  const input = await readInput(file, io);
  const text = readTextInput(input);
  if (text.trim() === "")
    throw new CliError(`${printable(input.name)} is empty: there is nothing to compare.`, {
      exitCode: exitCodes.violated,
      remediation: "Give a file that holds a tool's result, such as JSON.",
      details: { source: input.name },
    });
  const comparison = await compareForms(input.name, text, budgetTokens());
  const written = html === undefined ? [] : [await writePage(html, comparison, io)];
  const hasToon = comparison.forms.some(({ form }) => form === "toon");
  return {
    exitCode: exitCodes.fine,
    data: { ...comparison, ...(html === undefined ? {} : { html }) } as unknown as JsonObject,
    text: (paint) => printComparison(comparison, { encoding, columns: io.columns }, paint),
    remarks: hasToon ? written : [...written, await withoutToon(file)],
  };
}

async function withoutToon(file: string): Promise<string> {
  const { howToInstall } = await import("../output/how-to-install.ts");
  const command = `tokens --compare ${file === "-" ? "-" : shellWord(file)}`;
  return `waybill: TOON is not compared: its package is not installed. ${howToInstall([TOON_PACKAGE], command)}`;
}

/** The default budget of a server. */
function budgetTokens(): number {
  const { tokens } = defaultSettings.budget;
  return tokens === "off" ? Number.MAX_SAFE_INTEGER : tokens;
}

async function writePage(file: string, comparison: FormComparison, io: CliIo): Promise<string> {
  const { comparisonPage } = await import("../tokens/comparison-page.ts");
  const bytes = Buffer.from(comparisonPage(comparison));
  await writeOutput(file, bytes, io);
  return `waybill: wrote ${formatBytes(bytes.length)} to ${printable(file)}`;
}

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

/** A bar for each form; the longest fills the width. */
function printComparison(comparison: FormComparison, options: PrintOptions, paint: Paint): string {
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
function remarksOf(comparison: FormComparison): readonly string[] {
  const about = new Map<string, string[]>();
  for (const { form, remark } of comparison.forms) {
    if (remark !== null) about.set(remark, [...(about.get(remark) ?? []), formName(form, comparison)]);
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
  comparison: FormComparison,
  encoding: Encoding,
): readonly string[] {
  const counts = inOrder(encoding).map((one) => (tokens === null ? "-" : formatCount(tokens[one])));
  const share = saved === null || form === "as_given" ? "" : `${saved[encoding].toFixed(1)} %`;
  return [formName(form, comparison), ...counts, share];
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
