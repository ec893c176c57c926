import picocolors from "picocolors";
import type { ErrorCode } from "../core/contract/error-registry.ts";
import type { WarningDetail } from "../core/contract/warning.ts";
import type { JsonObject } from "../core/json/json-value.ts";
import type { CliIo, ExitCode } from "./cli-io.ts";
import { printableLines, printablePaint } from "./output/format-values.ts";

export interface ReportFailure {
  readonly message: string;
  readonly errorCode: ErrorCode;
  readonly remediation?: string | undefined;
  readonly details?: JsonObject | undefined;
}

/** The result of a command. Commands print nothing themselves, so `--json` is one envelope by construction. */
export interface CommandReport {
  readonly exitCode: ExitCode;
  /** The envelope's data; with a failure, additions to the error's own data. */
  readonly data: JsonObject;
  readonly failure?: ReportFailure | undefined;
  readonly warnings?: readonly WarningDetail[] | undefined;
  /** The result for people, without the last line feed. */
  readonly text: (paint: Paint) => string;
  /** The exact bytes, written instead of `text`: content that must not change by a single byte. */
  readonly raw?: Uint8Array | undefined;
  /** Lines for stderr: useful information that is not the result. */
  readonly remarks?: readonly string[] | undefined;
}

export type Paint = Pick<
  ReturnType<typeof picocolors.createColors>,
  "isColorSupported" | "bold" | "dim" | "red" | "yellow" | "green" | "cyan"
>;

/** Colours for a terminal; plain for other outputs, for NO_COLOR (no-color.org), a dumb terminal or --no-color. */
export function createPaint(isTTY: boolean, env: CliIo["env"], allowed = true): Paint {
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return picocolors.createColors(isTTY && allowed && !refused);
}

export interface PrintOptions {
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** Results on stdout, everything else on stderr; with `json` stderr stays empty, since the envelope has everything. */
export async function printReport(report: CommandReport, io: CliIo, options: PrintOptions): Promise<void> {
  if (options.json === true) {
    // The contract loads Zod, which a light command without --json does not need.
    const { toEnvelope } = await import("./output/to-envelope.ts");
    const json = JSON.stringify(toEnvelope(report));
    // JSON leaves some control characters unescaped. A program gets the text unchanged, a terminal an equal text.
    io.stdout.write(`${io.isTTY.stdout ? printableLines(json) : json}\n`);
    return;
  }
  const paint = createPaint(io.isTTY.stdout, io.env, options.color);
  const safe = (text: string): string => printablePaint(text, paint.isColorSupported);
  if (report.raw !== undefined) {
    io.stdout.write(report.raw);
  } else {
    const text = report.text(paint);
    if (text !== "") io.stdout.write(`${safe(text)}\n`);
  }
  for (const remark of report.remarks ?? []) io.stderr.write(`${safe(remark)}\n`);
}
