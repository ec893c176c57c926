import type { JsonObject } from "../../core/json/json-value.ts";
import type { Encoding } from "../../core/tokens/token-counter.ts";
import { defaultSettings } from "../../engine/settings/settings.ts";
import { type CliIo, CliError, exitCodes } from "../cli-io.ts";
import { chooseInputs, readInput, readText, refuseOwnSource, writeOutput } from "../input/read-input.ts";
import { formatBytes, printable, shellWord } from "../output/format-values.ts";
import type { Report } from "../report.ts";
import { type Comparison, TOON_PACKAGE, compareForms } from "../tokens/write-forms.ts";
import { printComparison } from "../tokens/print-comparison.ts";

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
): Promise<Report> {
  const [file = "-", ...others] = chooseInputs(files, io);
  if (others.length > 0)
    throw new CliError(`--compare takes one file, not ${files.length}.`, {
      remediation: "Compare them one after the other.",
    });
  if (html === "-") throw new CliError("--html needs a file: give its name.");
  if (html !== undefined) await refuseOwnSource("--html", html, file, io);
  const input = await readInput(file, io);
  const text = readText(input);
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

async function writePage(file: string, comparison: Comparison, io: CliIo): Promise<string> {
  const { comparisonPage } = await import("../tokens/comparison-page.ts");
  const bytes = Buffer.from(comparisonPage(comparison));
  await writeOutput(file, bytes, io);
  return `waybill: wrote ${formatBytes(bytes.length)} to ${printable(file)}`;
}
