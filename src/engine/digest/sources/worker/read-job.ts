import type { RawDocument } from "../../document.ts";

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
