import type { CliIo } from "../cli-io.ts";
import type { Report } from "../report.ts";
import { createPaint } from "./paint.ts";

export interface PrintOptions {
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** Results on stdout, everything else on stderr; `json` leaves stderr alone, since the envelope says it all. */
export async function printReport(report: Report, io: CliIo, options: PrintOptions): Promise<void> {
  if (options.json === true) {
    // The contract loads Zod, which a plain run of a light command does without.
    const { toEnvelope } = await import("./to-envelope.ts");
    io.stdout.write(`${JSON.stringify(toEnvelope(report))}\n`);
    return;
  }
  if (report.raw !== undefined) {
    io.stdout.write(report.raw);
    for (const remark of report.remarks ?? []) io.stderr.write(`${remark}\n`);
    return;
  }
  const text = report.text(createPaint(io.isTTY.stdout, io.env, options.color));
  if (text !== "") io.stdout.write(`${text}\n`);
  for (const remark of report.remarks ?? []) io.stderr.write(`${remark}\n`);
}
