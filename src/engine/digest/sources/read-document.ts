import type { WarningDetail } from "../../../core/contract/warning.ts";
import { canonicalPages, canonicalText } from "../canonical-text.ts";
import type { CanonicalDocument, DocumentType, RawDocument, DocumentBlock, TextSpan } from "../document.ts";
import { assertLimit, documentTooLarge, unreadableDocument } from "./unreadable.ts";
import {
  charsetOfType,
  charsetInside,
  charsetName,
  decodeStrictly,
  decodeWith,
  guessCharset,
  utf16Shape,
} from "./charset.ts";
import { type TypeHints, detectType, isGuessedMarkdown, typeMismatch } from "./detect-type.ts";
import { markdownTitle } from "./markdown/front-matter.ts";
import { missingKind } from "./reader-packages.ts";
import type { ReadJob } from "./worker/read-job.ts";

export interface ReadDocumentOptions extends TypeHints {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxPages?: number | undefined;
  readonly compat?: "foundry" | undefined;
  /**
   * The time for reading a PDF, a page or a Markdown text, once reading has begun; then it is a `TIMEOUT`.
   * Default: 60,000.
   */
  readonly readTimeoutMs?: number | undefined;
  /** Whether PDF, HTML and Markdown are read in a worker thread, if the runtime has threads. Default: true. */
  readonly isolate?: boolean | undefined;
}

const MAX_BYTES = 64 * 1024 * 1024;
const READ_TIMEOUT_MS = 60_000;

/**
 * Reads a document of any type into its canonical text: detects its type, decodes it, extracts its text. A
 * string is text, Markdown or HTML. A document that cannot be read is a fault that says what to do; lost
 * content is a warning.
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
  // The seed's system removed tags itself, and its offsets refer to the result.
  if ((type === "html" || type === "markdown") && options.compat === undefined) {
    const page = await readForeign({ kind: type, text }, options).catch((error: unknown) => {
      if (missingKind(error) === undefined || !isGuessedMarkdown(type, options)) throw error;
      return { text, title: markdownTitle(text), warnings: [markdownAsText()] };
    });
    return { ...page, warnings: [...warnings, ...page.warnings] };
  }
  const title = type === "markdown" ? markdownTitle(text) : undefined;
  return { text, warnings, title };
}

/** A text that only looks like Markdown can be read as the text it is. */
function markdownAsText(): WarningDetail {
  return {
    code: "FALLBACK_USED",
    severity: "info",
    message:
      "The text looks like Markdown and was read as plain text: the reader of Markdown is not installed",
    context: { reason: "reader_missing", document_type: "markdown" },
  };
}

/** Types that can be slow to read are read in a worker that can be ended, or with limits on their content. */
async function readForeign(
  job: ReadJob,
  { signal, onProgress, readTimeoutMs: timeoutMs = READ_TIMEOUT_MS, isolate = true }: ReadDocumentOptions,
): Promise<RawDocument> {
  const options = { signal, onProgress, timeoutMs };
  if (isolate) {
    const { readInWorker } = await import("./worker/read-in-worker.ts");
    const document = await readInWorker(job, options);
    if (document !== undefined) return document;
  }
  const { readInProcess } = await import("./worker/read-job.ts");
  return readInProcess(job, options);
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
  // A string has at least as many bytes in UTF-8 as units, and is already in memory.
  if (source.length <= maxBytes) return;
  throw documentTooLarge(`The document is larger than ${maxBytes} bytes`, {
    reason: "document_too_large",
    remediation: "Digest a part of it, or raise the limit.",
    details: { max_bytes: maxBytes, size: source.length },
  });
}

function empty(): Error {
  return unreadableDocument("The document is empty: there is nothing to digest", {
    reason: "empty_document",
    remediation: "Check that the file or page is the right one and was fully fetched.",
  });
}

export interface DecodeOptions {
  /** The label that came with the bytes, such as the charset of a Content-Type. */
  readonly charset?: string | undefined;
  readonly isHtml?: boolean | undefined;
}

export interface DecodedText {
  readonly text: string;
  readonly charset: string;
  readonly warnings: readonly WarningDetail[];
}

/**
 * Turns bytes into text, in this order: a byte order mark; the charset declared outside, then inside; the
 * shape of UTF-16; UTF-8 if every byte fits it; the most likely charset. A declaration that the bytes
 * contradict is ignored. It never throws: warnings say what was guessed, and how much could not be decoded.
 */
export async function decodeText(bytes: Uint8Array, options: DecodeOptions = {}): Promise<DecodedText> {
  const marked = markedCharset(bytes);
  if (marked !== undefined) return lossy(marked, bytes, []);
  const label = options.charset ?? charsetInside(bytes, options.isHtml === true);
  const declared = label === undefined ? undefined : charsetName(label);
  const warnings = label !== undefined && declared === undefined ? [unknownLabel(label)] : [];
  if (declared !== undefined) {
    const text = decodeStrictly(declared, bytes);
    if (text !== undefined && !isRatherUtf8(declared, bytes)) return { text, charset: declared, warnings };
  }
  return decodeUndeclared(bytes, declared, warnings);
}

async function decodeUndeclared(
  bytes: Uint8Array,
  declared: string | undefined,
  warnings: readonly WarningDetail[],
): Promise<DecodedText> {
  const shape = utf16Shape(bytes) ?? (hasJapaneseEscape(bytes) ? "iso-2022-jp" : undefined);
  const unicode = shape === undefined ? decodeStrictly("utf-8", bytes) : undefined;
  if (unicode !== undefined) {
    const said = declared === undefined ? [] : [contradicted(declared, "utf-8")];
    return { text: unicode, charset: "utf-8", warnings: [...warnings, ...said] };
  }
  if (shape !== undefined) return lossy(shape, bytes, [...warnings, guessed(shape)]);
  const utf8 = decodeWith("utf-8", bytes);
  if (isMostlyUtf8(utf8)) return lossy("utf-8", bytes, warnings);
  if (declared !== undefined && declared !== "utf-8") return lossy(declared, bytes, warnings);
  const { charset, confidence } = await guessCharset(bytes);
  const said = declared === undefined ? guessed(charset, confidence) : contradicted(declared, charset);
  return lossy(charset, bytes, [...warnings, said]);
}

function markedCharset([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** Some charsets accept any bytes, so fitting them proves nothing; fitting UTF-8 does. */
function isRatherUtf8(declared: string, bytes: Uint8Array): boolean {
  if (declared === "windows-1252")
    return bytes.some((byte) => byte >= 0x80) && decodeStrictly("utf-8", bytes) !== undefined;
  return declared.startsWith("utf-16") && !bytes.includes(0) && decodeStrictly("utf-8", bytes) !== undefined;
}

/** ISO-2022-JP is all ASCII, so it would pass as UTF-8: it switches by escapes that no other text contains. */
function hasJapaneseEscape(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at >= 0; at = bytes.indexOf(0x1b, at + 1))
    if (bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x42 || bytes[at + 2] === 0x40)) return true;
  return false;
}

/** Whether more non-ASCII letters were decoded than lost: then it is a UTF-8 text with some other bytes. */
function isMostlyUtf8(text: string): boolean {
  let lost = 0;
  let kept = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0xfffd) lost++;
    else if (unit >= 0x80) kept++;
  }
  return kept > lost;
}

function lossy(charset: string, bytes: Uint8Array, warnings: readonly WarningDetail[]): DecodedText {
  const strict = decodeStrictly(charset, bytes);
  if (strict !== undefined) return { text: strict, charset, warnings };
  const text = decodeWith(charset, bytes);
  const count = text.split("\ufffd").length - 1;
  return { text, charset, warnings: [...warnings, undecodable(charset, count)] };
}

function unknownLabel(label: string): WarningDetail {
  const shown = label.slice(0, 40);
  return {
    code: "CHARSET_UNKNOWN",
    severity: "warning",
    message: `The declared charset "${shown}" is not known; the bytes decided`,
    context: { declared: shown },
  };
}

function guessed(charset: string, confidence?: number): WarningDetail {
  return {
    code: "CHARSET_GUESSED",
    severity: "warning",
    message: `The charset was not declared and was taken to be ${charset}; letters beyond ASCII may be wrong`,
    context: { charset, ...(confidence === undefined ? {} : { confidence }) },
  };
}

function contradicted(declared: string, charset: string): WarningDetail {
  return {
    code: "CHARSET_GUESSED",
    severity: "warning",
    message: `The bytes do not fit the declared charset ${declared} and were read as ${charset}`,
    context: { declared, charset },
  };
}

function undecodable(charset: string, count: number): WarningDetail {
  return {
    code: "TEXT_UNDECODABLE",
    severity: "warning",
    message: `${count} place${count === 1 ? "" : "s"} could not be decoded as ${charset} and ${count === 1 ? "reads" : "read"} \ufffd`,
    context: { charset, replaced: count },
  };
}

/** At most a blank line separates blocks, and a space separates cells; sometimes meaningless marks are between them. */
const MAX_GAP = 8;

/**
 * A piece of the text as it was read, found in the canonical text from `from` on; undefined if nothing is
 * left of it.
 */
function place(piece: string, text: string, from: number): TextSpan | undefined {
  const wanted = canonicalText(piece);
  if (wanted === "") return undefined;
  for (let start = from; start <= from + MAX_GAP; start++) {
    if (text.startsWith(wanted, start)) return { start, end: start + wanted.length };
  }
  return undefined;
}

/**
 * The positions of blocks in the canonical form of their text. The canonical text is made from the whole, so
 * that it does not depend on blocks. A block that is not found there, because the white space around it has a
 * meaning in Unicode, is dropped.
 */
function placeBlocks(raw: string, blocks: readonly DocumentBlock[], text: string): readonly DocumentBlock[] {
  const placed: DocumentBlock[] = [];
  let from = 0;
  for (const { start, end, kind, level } of blocks) {
    const piece = raw.slice(start, end);
    const found = place(piece, text, from);
    if (found === undefined) continue;
    placed.push({
      ...found,
      kind,
      ...(level === undefined ? {} : { level }),
      ...(kind === "row" ? { cells: placeCells(piece, text, found) } : {}),
    });
    from = found.end;
  }
  return placed;
}

function placeCells(row: string, text: string, { start }: TextSpan): readonly TextSpan[] {
  let from = start;
  return row.split("\t").flatMap((cell) => {
    const found = place(cell, text, from);
    if (found === undefined) return [];
    from = found.end;
    return [found];
  });
}
