import type { WarningDetail } from "../../../core/contract/warning.ts";
import { canonicalPages, canonicalText } from "../canonical-text.ts";
import { placeBlocks } from "../place-blocks.ts";
import type { CanonicalDocument, DocumentType, RawDocument } from "../document.ts";
import { assertLimit, tooLarge, unreadable } from "./unreadable.ts";
import { charsetOfType } from "./charset.ts";
import { decodeText } from "./decode-text.ts";
import { type TypeHints, detectType, typeMismatch } from "./detect-type.ts";
import { markdownTitle } from "./markdown/front-matter.ts";
import type { ReadJob } from "./worker/read-job.ts";

export interface ReadDocumentOptions extends TypeHints {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxPages?: number | undefined;
  readonly compat?: "foundry" | undefined;
  /** For reading a PDF, a page or a Markdown text, once it is its turn; then it is a `TIMEOUT`. Default: 60,000. */
  readonly readTimeoutMs?: number | undefined;
  /** Whether PDF, HTML and Markdown are read in a worker thread, where there are threads. Default: true. */
  readonly isolate?: boolean | undefined;
}

const MAX_BYTES = 64 * 1024 * 1024;
const READ_TIMEOUT_MS = 60_000;

/**
 * Reads a document of any type into its canonical text: detects what it is, decodes it, takes its text out. A string
 * is text, Markdown or HTML. What cannot be read is a fault that says what to do; what was lost is a warning.
 */
export async function readDocument(
  source: Uint8Array | string,
  options: ReadDocumentOptions = {},
): Promise<CanonicalDocument> {
  assertLimit("maxBytes", options.maxBytes);
  assertLimit("maxPages", options.maxPages);
  assertLimit("readTimeoutMs", options.readTimeoutMs);
  options.signal?.throwIfAborted();
  assertSize(source, options.maxBytes ?? MAX_BYTES);
  if (source.length === 0) throw empty();
  const type = detectType(source, options);
  const mismatch = typeMismatch(type, options);
  const { text: raw, blocks: parts, title, warnings } = await read(source, type, options);
  const { compat } = options;
  const { text, pages } =
    typeof raw === "string"
      ? { text: canonicalText(raw, { compat }), pages: undefined }
      : canonicalPages(raw, { compat });
  if (text === "") throw empty();
  const blocks = parts !== undefined && typeof raw === "string" ? placeBlocks(raw, parts, text) : undefined;
  return {
    type,
    text,
    warnings: mismatch === undefined ? warnings : [mismatch, ...warnings],
    ...(pages === undefined ? {} : { pages }),
    ...(blocks === undefined ? {} : { blocks }),
    ...(title === undefined ? {} : { title }),
  };
}

async function read(
  source: Uint8Array | string,
  type: DocumentType,
  options: ReadDocumentOptions,
): Promise<RawDocument> {
  if (type === "pdf" && typeof source !== "string") {
    return readForeign({ kind: "pdf", bytes: source, maxPages: options.maxPages }, options);
  }
  const { text, warnings } = await textOf(source, type, options);
  // The system of the seed took the tags out itself, and its offsets are about what that left.
  if ((type === "html" || type === "markdown") && options.compat === undefined) {
    const page = await readForeign({ kind: type, text }, options);
    return { ...page, warnings: [...warnings, ...page.warnings] };
  }
  const title = type === "markdown" ? markdownTitle(text) : undefined;
  return { text, warnings, title };
}

/** What can be slow to read is read where it can be ended, or within limits of what it may hold. */
async function readForeign(
  job: ReadJob,
  { signal, onProgress, readTimeoutMs: timeoutMs = READ_TIMEOUT_MS, isolate = true }: ReadDocumentOptions,
): Promise<RawDocument> {
  const options = { signal, onProgress, timeoutMs };
  if (isolate) {
    const { readApart } = await import("./worker/read-apart.ts");
    const document = await readApart(job, options);
    if (document !== undefined) return document;
  }
  const { readHere } = await import("./worker/read-here.ts");
  return readHere(job, options);
}

async function textOf(
  source: Uint8Array | string,
  type: DocumentType,
  { contentType }: TypeHints,
): Promise<{ readonly text: string; readonly warnings: readonly WarningDetail[] }> {
  if (typeof source === "string") return { text: source, warnings: [] };
  return decodeText(source, { charset: charsetOfType(contentType), isHtml: type === "html" });
}

function assertSize(source: Uint8Array | string, maxBytes: number): void {
  // A string has at least as many bytes in UTF-8 as units, and is in memory already.
  if (source.length <= maxBytes) return;
  throw tooLarge(`The document is larger than ${maxBytes} bytes`, {
    reason: "document_too_large",
    remediation: "Digest a part of it, or raise the limit.",
    details: { max_bytes: maxBytes, size: source.length },
  });
}

function empty(): Error {
  return unreadable("The document is empty: there is nothing to digest", {
    reason: "empty_document",
    remediation: "Check that the file or page is the right one and was fully fetched.",
  });
}
