import type { WarningDetail } from "../../../core/contract/warning.ts";
import type { DocumentType } from "../document.ts";
import { asciiOf, decodeWith, utf16Shape } from "./charset.ts";
import { looksLikeHtml } from "./html/looks-like-html.ts";
import { looksLikeMarkdown } from "./markdown/looks-like-markdown.ts";
import { nameBinary } from "./name-binary.ts";
import { unreadable } from "./unreadable.ts";

export interface TypeHints {
  /** The Content-Type that came with the document. */
  readonly contentType?: string | undefined;
  /** A file's name or a URL's last part; only its ending counts. */
  readonly name?: string | undefined;
}

/** Readers of PDF accept junk before the header, up to here. */
const PDF_HEADER_BYTES = 1024;
const SNIFF_BYTES = 8192;

const typeByEnding: Readonly<Record<string, DocumentType>> = {
  htm: "html",
  html: "html",
  markdown: "markdown",
  md: "markdown",
  mdown: "markdown",
  mdx: "markdown",
  mkd: "markdown",
  pdf: "pdf",
  text: "text",
  txt: "text",
  xhtml: "html",
};

const typeByMedia: Readonly<Record<string, DocumentType>> = {
  "application/pdf": "pdf",
  "application/x-pdf": "pdf",
  "application/xhtml+xml": "html",
  "text/html": "html",
  "text/markdown": "markdown",
  "text/plain": "text",
  "text/x-markdown": "markdown",
};

/**
 * The type of a document. In this order: a PDF header in the bytes; whatever else is not text is refused; then, among
 * texts, a declared type other than text/plain; the name's ending; text/plain; how the text looks. The bytes win
 * over a declaration of PDF: a login page that was sent instead is read as the page it is.
 */
export function detectType(source: Uint8Array | string, hints: TypeHints = {}): DocumentType {
  if (typeof source !== "string" && isPdf(source, hints)) return "pdf";
  const text = typeof source === "string" ? source : sniffed(source);
  const declared = declaredType(hints);
  const named = namedType(hints);
  if (typeof source === "string") refusePdfAsText(source);
  if (declared !== undefined && declared !== "pdf" && declared !== "text") return declared;
  if (named !== undefined && named !== "pdf") return named;
  if (declared === "text") return "text";
  if (looksLikeHtml(text)) return "html";
  return isUntold(hints) && looksLikeMarkdown(text) ? "markdown" : "text";
}

/** Whether nobody says anything of the type: a program may hold as much Markdown as a letter does. */
function isUntold({ contentType, name }: TypeHints): boolean {
  return !/[^\s;]/.test(contentType ?? "") && !/\.[a-z0-9]{1,8}$/i.test(name ?? "");
}

/** A warning where a document is not what it was said to be. */
export function typeMismatch(type: DocumentType, hints: TypeHints): WarningDetail | undefined {
  const said = declaredType(hints) ?? namedType(hints);
  if (said === undefined || (said === "pdf") === (type === "pdf")) return undefined;
  return {
    code: "TYPE_MISMATCH",
    severity: "warning",
    message: `The document was said to be ${said} and is ${type}${said === "pdf" ? ": it may be a login or error page" : ""}`,
    context: { declared: said, type },
  };
}

function declaredType({ contentType }: TypeHints): DocumentType | undefined {
  const media = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return Object.hasOwn(typeByMedia, media) ? typeByMedia[media] : undefined;
}

function namedType({ name }: TypeHints): DocumentType | undefined {
  const ending = /\.([a-z]+)$/i.exec(name ?? "")?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(typeByEnding, ending) ? typeByEnding[ending] : undefined;
}

function isPdf(bytes: Uint8Array, hints: TypeHints): boolean {
  const head = asciiOf(bytes.subarray(0, PDF_HEADER_BYTES));
  const at = head.search(/%PDF-\d/);
  if (at < 0) return false;
  // A text about PDF quotes the header too; a PDF with something before it is binary, or said to be one.
  if (/^[\s\ufeff\u00ef\u00bb\u00bf]*$/.test(head.slice(0, at))) return true;
  return (declaredType(hints) ?? namedType(hints)) === "pdf" || / \d+ obj\b/.test(head.slice(at));
}

/** The beginning and end of a text, as far as they tell what it is. Refuses what is not text. */
function sniffed(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const marked =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : undefined;
  const wide = marked ?? utf16Shape(bytes);
  const name = nameBinary(bytes, wide !== undefined);
  if (name !== undefined) throw binary(name);
  const ends = [bytes.subarray(0, SNIFF_BYTES), bytes.subarray(Math.max(SNIFF_BYTES, bytes.length - 64))];
  return ends.map((part) => (wide === undefined ? asciiOf(part) : decodeWith(wide, part))).join("");
}

function binary(name: string): Error {
  return unreadable(`The document is ${name}, not text, Markdown, HTML or PDF`, {
    reason: "binary_document",
    remediation: "Convert it to PDF, HTML or text first, and digest that.",
    details: { looks_like: name },
  });
}

function refusePdfAsText(text: string): void {
  if (!/^\s*%PDF-\d\.\d[^]{0,200}\d obj\b/.test(text.slice(0, PDF_HEADER_BYTES))) return;
  throw unreadable("The document is a PDF that was turned into a string, which damages it", {
    reason: "pdf_as_text",
    remediation: "Pass the bytes of the PDF.",
  });
}
