import type { RawDocument } from "../../document.ts";
import { type ErrorOptions, ToolFault } from "../../../../core/contract/tool-fault.ts";
import { type ReaderKind, missingKind, missingReader } from "../reader-packages.ts";
import { markdownTitle } from "../markdown/front-matter.ts";

/** A document of a type that an untrusted file can make slow, or large, to read. */
export type ReadJob =
  | { readonly kind: "pdf"; readonly bytes: Uint8Array; readonly maxPages: number | undefined }
  | { readonly kind: "html" | "markdown"; readonly text: string };

/** How one document is read, in any thread. */
export interface JobOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly timeoutMs: number;
}

/** Loads the reader of a job, and reads. */
export async function readJob(job: ReadJob, options: JobOptions): Promise<RawDocument> {
  if (job.kind === "pdf") {
    const { readPdf } = await import("../pdf/read-pdf.ts");
    return readPdf(job.bytes, { ...options, maxPages: job.maxPages });
  }
  if (job.kind === "markdown") {
    const { readMarkdown } = await import("../markdown/read-markdown.ts");
    return readMarkdown(job.text, { signal: options.signal });
  }
  const { readHtml } = await import("../html/read-html.ts");
  return readHtml(job.text, { signal: options.signal });
}

/** The first message of a worker: a worker that never sends it is not ours, or could not load its modules. */
export const DOCUMENT_READY = { kind: "ready", name: "waybill-document-worker" } as const;

/** The request to a worker; it reads one document at a time. */
export interface DocumentWork {
  readonly job: ReadJob;
  readonly timeoutMs: number;
}

/** How a job ended in the worker. */
export type WorkerAnswer =
  | { readonly kind: "read"; readonly document: RawDocument }
  | { readonly kind: "missing"; readonly reader: ReaderKind }
  | { readonly kind: "fault"; readonly message: string; readonly options: ErrorOptions }
  | { readonly kind: "error"; readonly name: string; readonly message: string };

export type DocumentMessage =
  | typeof DOCUMENT_READY
  | WorkerAnswer
  | { readonly kind: "progress"; readonly done: number; readonly total: number };

/** An error in a form that a message can carry; its cause is not sent. */
export function toWorkerAnswer(error: unknown): WorkerAnswer {
  const reader = missingKind(error);
  if (reader !== undefined) return { kind: "missing", reader };
  if (ToolFault.isInstance(error)) return { kind: "fault", message: error.message, options: error.options };
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { kind: "error", name, message };
}

/** The document in an answer. A failure is thrown here, so that the fault is made where the caller waits. */
export function documentIn(answer: WorkerAnswer): RawDocument {
  if (answer.kind === "read") return answer.document;
  if (answer.kind === "missing") throw missingReader(answer.reader);
  if (answer.kind === "fault") throw new ToolFault(answer.message, answer.options);
  throw new Error(`${answer.name}: ${answer.message}`);
}

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
    const { checkInflation } = await import("../pdf/pdf-streams.ts");
    const { checkOperators } = await import("../pdf/pdf-streams.ts");
    await checkInflation(job.bytes, options.signal);
    await checkOperators(job.bytes, options.signal);
  }
  if (job.kind === "markdown" && hasLongParagraph(job.text))
    return { text: job.text, title: markdownTitle(job.text), warnings: [] };
  return readJob(job, options);
}
