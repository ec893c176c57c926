import type { CheckReport } from "../../doors/check/report/check-report.ts";
import type { SarifOptions } from "../../doors/check/report/sarif-report.ts";
import type { ReportChoice } from "../declare/option-values.ts";
import { type CliIo, CliError, readVersion } from "../cli-io.ts";
import { formatBytes, printable } from "../output/format-values.ts";
import { writeOutput } from "../input/read-input.ts";
import type { CheckProgress } from "../../doors/check/check-options.ts";

/** One requested report; without a file it goes to stdout. */
export interface WantedReport {
  readonly form: ReportChoice;
  readonly file?: string | undefined;
}

/** A file of `--out`, and how many of `--report` stood before it on the command line. */
export interface OutFile {
  readonly file: string;
  readonly after: number;
}

interface ReportOptions {
  readonly report?: readonly ReportChoice[] | undefined;
  readonly out?: readonly OutFile[] | undefined;
  readonly json?: boolean | undefined;
}

/** Each --out belongs to the --report before it; without any --report, to the pretty one. */
export function wantedReports({
  report = [],
  out = [],
  json = false,
}: ReportOptions): readonly WantedReport[] {
  const forms: readonly ReportChoice[] = report.length === 0 ? ["pretty"] : report;
  const files = new Map<number, string>();
  for (const { file, after } of out) {
    if (after === 0 && report.length > 0)
      throw new CliError(`--out ${printable(file)} stands before every --report.`, {
        remediation: `Each --out belongs to the --report before it: --report ${forms[0] ?? ""} --out ${printable(file)}.`,
      });
    const index = Math.max(0, after - 1);
    if (files.has(index))
      throw new CliError(
        `One report has two files: ${printable(files.get(index) ?? "")} and ${printable(file)}.`,
        {
          remediation: "Give a --report before each --out.",
        },
      );
    files.set(index, file);
  }
  const wanted = forms.map((form, index) => ({ form, file: files.get(index) }));
  const printed = wanted.filter(({ file, form }) => file === undefined && form !== "pretty");
  if (printed.length > 1)
    throw new CliError("Two reports would go to stdout.", {
      remediation: "Give each of them an --out: it belongs to the --report before it.",
    });
  if (json && printed.length > 0)
    throw new CliError("--json and --report print the report in two forms: give one of them.", {
      remediation: "With --json the report is data of the envelope; or give --report an --out.",
    });
  return wanted;
}

export interface FormOptions {
  readonly strict?: boolean | undefined;
  /** A file that represents the server in SARIF. */
  readonly artifact?: string | undefined;
  /** The lines of the author's source that name the tools; found only for SARIF. */
  readonly places: () => Promise<SarifOptions["places"]>;
  /** The pretty report, without colours. */
  readonly pretty: () => string;
}

type Former = (report: CheckReport, options: FormOptions) => string | Promise<string>;

/** Only the code of the requested format is loaded. */
const formers: Readonly<Record<ReportChoice, Former>> = {
  pretty: (_report, { pretty }) => `${pretty()}\n`,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  junit: async (report, { strict }) => {
    const { junitReport } = await import("../../doors/check/report/junit-report.ts");
    return junitReport(report, { strict });
  },
  sarif: async (report, { artifact, places }) => {
    const { sarifReport } = await import("../../doors/check/report/sarif-report.ts");
    return sarifReport(report, { artifact, places: await places(), version: readVersion() });
  },
  html: async (report, { strict }) => {
    const { checkPage } = await import("../../doors/check/report/page/check-page.ts");
    return checkPage(report, { strict });
  },
};

/** A report in one format. */
export async function formReport(
  report: CheckReport,
  form: ReportChoice,
  options: FormOptions,
): Promise<string> {
  return formers[form](report, options);
}

/** Writes a text to a file, and returns a line that says so. */
export async function writeText(file: string, text: string, io: CliIo): Promise<string> {
  const bytes = Buffer.from(text);
  await writeOutput(file, bytes, io);
  return `waybill: wrote ${formatBytes(bytes.length)} to ${printable(file)}`;
}

interface ProgressLine {
  readonly report: (progress: CheckProgress) => void;
  /** Clears the line. */
  readonly end: () => void;
}

const REDRAW_MS = 100;
const LINE_MS = 2_000;
const BAR_CELLS = 20;
const CLEAR_LINE = "\r\u001b[K";

const phaseWords = {
  connect: "connecting",
  list: "listing tools",
  probe: "calling",
  judge: "judging",
} as const;

function describe({ phase, tool, done, planned, elapsedMs }: CheckProgress): string {
  const seconds = `${Math.floor(elapsedMs / 1_000)} s`;
  if (phase !== "probe") return `${phaseWords[phase]}, ${seconds}`;
  const filled = planned === 0 ? 0 : Math.round((done / planned) * BAR_CELLS);
  const bar = "#".repeat(filled) + "-".repeat(BAR_CELLS - filled);
  return `[${bar}] ${done + 1} of ${planned}, ${seconds}: ${printable(tool ?? "").slice(0, 60)}`;
}

/** The progress of a check, on stderr: a changing line for a person, a new line now and then for a log. */
export function checkProgress(
  io: CliIo,
  isWanted: boolean,
  now: () => number = () => performance.now(),
): ProgressLine | undefined {
  const isLive = io.isTTY.stderr && io.env["TERM"] !== "dumb";
  if (!isLive && !isWanted) return undefined;
  let nextMs = 0;
  let phase = "";
  return {
    report(progress) {
      // A new phase is shown at once; within a phase, no faster than a person reads.
      if (progress.phase === phase && now() < nextMs) return;
      phase = progress.phase;
      nextMs = now() + (isLive ? REDRAW_MS : LINE_MS);
      const line = `waybill: ${describe(progress)}`;
      io.stderr.write(isLive ? CLEAR_LINE + line : `${line}\n`);
    },
    end() {
      if (isLive) io.stderr.write(CLEAR_LINE);
    },
  };
}
