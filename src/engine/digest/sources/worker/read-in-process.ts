import type { RawDocument } from "../../document.ts";
import { markdownTitle } from "../markdown/front-matter.ts";
import { type JobOptions, type ReadJob, readJob } from "./read-job.ts";

/** The time for one paragraph of Markdown can be quadratic: in brackets, or in the columns of a table. */
const MAX_PARAGRAPH_CHARACTERS = 64 * 1024;

function hasLongParagraph(text: string): boolean {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n\n", start);
    const end = found < 0 ? text.length : found;
    if (end - start > MAX_PARAGRAPH_CHARACTERS) return true;
    start = end + 2;
  }
  return false;
}

/**
 * Reads a document in this thread, for browsers and for bundles without the worker's file. A reader that does
 * not pause cannot be ended, so known slow content is refused first: pages of a PDF with too many operators.
 * HTML has the limits of its reader: above its limits of nodes, depth and names it builds no tree. Markdown
 * with a very long paragraph is read as plain text.
 */
export async function readInProcess(job: ReadJob, options: JobOptions): Promise<RawDocument> {
  if (job.kind === "pdf") {
    const { checkInflation } = await import("../pdf/check-inflation.ts");
    const { checkOperators } = await import("../pdf/check-operators.ts");
    await checkInflation(job.bytes, options.signal);
    await checkOperators(job.bytes, options.signal);
  }
  if (job.kind === "markdown" && hasLongParagraph(job.text))
    return { text: job.text, title: markdownTitle(job.text), warnings: [] };
  return readJob(job, options);
}
