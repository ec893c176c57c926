import type { RawDocument } from "../../document.ts";
import { type JobOptions, type ReadJob, readJob } from "./read-job.ts";

/**
 * Reads a document in this thread, for browsers and for bundles that have no worker's file. Nothing can end a reader
 * that does not pause, so what is known to make one slow is refused first: pages of a PDF with too many operators.
 * HTML needs no more than its reader has: above its limits of nodes, depth and names it builds no tree.
 */
export async function readHere(job: ReadJob, options: JobOptions): Promise<RawDocument> {
  if (job.kind === "pdf") {
    const { checkInflation } = await import("../pdf/check-inflation.ts");
    const { checkOperators } = await import("../pdf/check-operators.ts");
    await checkInflation(job.bytes, options.signal);
    await checkOperators(job.bytes, options.signal);
  }
  return readJob(job, options);
}
