import type { WarningDetail } from "../../../core/contract/warning.ts";
import type { DocumentType } from "../document.ts";
import { asciiOf, decodeWith, utf16Shape } from "./charset.ts";
import { unreadableDocument } from "./unreadable.ts";

export interface TypeHints {
  /** The Content-Type that came with the document. */
  readonly contentType?: string | undefined;
  /** A file's name or the last part of a URL; only its ending counts. */
  readonly name?: string | undefined;
}

/** PDF readers accept junk before the header, up to this offset. */
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

/** The media types that decide how a document is read. */
export const documentMediaTypes: readonly string[] = Object.keys(typeByMedia);

/** The media type of a Content-Type, without its parameters. */
export function mediaTypeOf(contentType: string): string {
  return contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/**
 * The type of a document, in this order: a PDF header in the bytes; anything else that is not text is
 * refused; then, among texts, a declared type other than text/plain; the ending of the name; text/plain; the
 * look of the text. The bytes win over a declared PDF: a login page that was sent instead is read as a page.
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

/** Whether nothing declares the type: a program may contain as much Markdown as a letter does. */
function isUntold({ contentType, name }: TypeHints): boolean {
  return !/[^\s;]/.test(contentType ?? "") && !/\.[a-z0-9]{1,8}$/i.test(name ?? "");
}

/** Whether a text is called Markdown by its look alone. */
export function isGuessedMarkdown(type: DocumentType, hints: TypeHints): boolean {
  return type === "markdown" && isUntold(hints);
}

/** A warning if a document is not of its declared type. */
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
  const media = mediaTypeOf(contentType ?? "");
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
  // A text about PDF quotes the header too; a PDF with something before the header is binary, or declared as PDF.
  if (/^[\s\ufeff\u00ef\u00bb\u00bf]*$/.test(head.slice(0, at))) return true;
  return (declaredType(hints) ?? namedType(hints)) === "pdf" || / \d+ obj\b/.test(head.slice(at));
}

/** The beginning and end of a text, enough to recognise its type. Refuses bytes that are not text. */
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
  return unreadableDocument(`The document is ${name}, not text, Markdown, HTML or PDF`, {
    reason: "binary_document",
    remediation: "Convert it to PDF, HTML or text first, and digest that.",
    details: { looks_like: name },
  });
}

function refusePdfAsText(text: string): void {
  if (!/^\s*%PDF-\d\.\d[^]{0,200}\d obj\b/.test(text.slice(0, PDF_HEADER_BYTES))) return;
  throw unreadableDocument("The document is a PDF that was turned into a string, which damages it", {
    reason: "pdf_as_text",
    remediation: "Pass the bytes of the PDF.",
  });
}

/** The marks of well-known file types and their offsets. The first match gives the name. */
const signatures: readonly (readonly [place: number, mark: string, name: string])[] = [
  [30, "mimetypeapplication/epub", "an EPUB book"],
  [30, "mimetypeapplication/vnd.oasis", "an OpenDocument file"],
  [0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (doc, xls or ppt)"],
  [0, "\x1f\x8b", "gzip-compressed data"],
  [4, "1AY&SY", "bzip2-compressed data"],
  [0, "\xfd7zXZ\0", "xz-compressed data"],
  [0, "\x28\xb5\x2f\xfd", "zstd-compressed data"],
  [0, "7z\xbc\xaf\x27\x1c", "a 7z archive"],
  [0, "Rar!\x1a\x07", "a rar archive"],
  [257, "ustar", "a tar archive"],
  [0, "\x89PNG\r\n\x1a\n", "a PNG image"],
  [0, "\xff\xd8\xff", "a JPEG image"],
  [0, "GIF8", "a GIF image"],
  [8, "WEBPVP8", "a WebP image"],
  [0, "II*\0", "a TIFF image"],
  [0, "MM\0*", "a TIFF image"],
  [4, "ftypavif", "an AVIF image"],
  [4, "ftypheic", "a HEIC image"],
  [4, "ftyp", "a video (MP4)"],
  [0, "\x1a\x45\xdf\xa3", "a video (Matroska or WebM)"],
  [8, "WAVEfmt", "a sound file (WAV)"],
  [0, "ID3", "a sound file (MP3)"],
  [0, "OggS\0", "a sound or video file (Ogg)"],
  [0, "\x7fELF", "a program (ELF)"],
  [0, "\xcf\xfa\xed\xfe", "a program (Mach-O)"],
  [0, "\xca\xfe\xba\xbe", "a Java class"],
  [0, "\0asm", "a WebAssembly module"],
  [0, "SQLite format 3\0", "an SQLite database"],
  [0, "\xff\xfe\0\0", "text in UTF-32"],
  [0, "\0\0\xfe\xff", "text in UTF-32"],
];

/** Formats written in letters that are still not readable text. */
const written: readonly (readonly [mark: string, name: string])[] = [
  ["{\\rtf1", "a rich text document (rtf)"],
  ["%!PS-Adobe", "a PostScript file"],
];

/** Office documents are zip archives; their parts show the type. */
const zipped: readonly (readonly [part: string, name: string])[] = [
  ["word/", "a Word document (docx)"],
  ["xl/", "an Excel workbook (xlsx)"],
  ["ppt/", "a PowerPoint presentation (pptx)"],
  ["", "a zip archive"],
];

/** How much of a file is examined. */
const HEAD_BYTES = 4096;
/** How far NUL, which no text contains, is searched for. */
const NUL_BYTES = 65_536;

/** The name of a file type that is not text; undefined if it may be text. UTF-16 is text full of NULs. */
function nameBinary(bytes: Uint8Array, isUtf16: boolean): string | undefined {
  const head = asciiOf(bytes.subarray(0, HEAD_BYTES));
  const named = written.find(([mark]) => head.startsWith(mark))?.[1];
  if (named !== undefined) return named;
  const [, mark = "", name] = signatures.find(([place, mark]) => head.startsWith(mark, place)) ?? [];
  // A mark of plain letters proves nothing in a text about such files.
  const isProof = /[^ -~]/.test(mark) || isUnprintable(bytes);
  if (name !== undefined && isProof) return name;
  if (head.startsWith("PK\u0003\u0004") || head.startsWith("PK\u0005\u0006"))
    return zipped.find(([part]) => head.includes(part))?.[1];
  if (isUtf16 || !isUnprintable(bytes)) return undefined;
  return head.startsWith("MZ") ? "a program (Windows)" : "binary data";
}

function isUnprintable(bytes: Uint8Array): boolean {
  if (bytes.subarray(0, NUL_BYTES).includes(0)) return true;
  const head = bytes.subarray(0, HEAD_BYTES);
  let odd = 0;
  for (const byte of head) if (byte < 0x20 && !(byte >= 0x07 && byte <= 0x0d) && byte !== 0x1b) odd++;
  return odd > 0.1 * head.length;
}

/** Comments and processing instructions before the first element are skipped up to this offset. */
const CHARACTERS_OF_HTML = 65_536;

const document = /^<(?:!doctype\s+html|html|head|body|title|meta|base|link)(?=[\s/>])/i;
const fragment =
  /^<(?:a|abbr|address|article|aside|b|blockquote|br|button|center|code|dd|details|div|dl|dt|em|figure|font|footer|form|h[1-6]|header|hr|i|iframe|img|li|main|nav|ol|p|pre|s|script|section|small|span|strong|style|table|tbody|td|tr|u|ul|video)(?=[\s/>])/i;

/**
 * True if a text is HTML and not prose, Markdown or XML with a tag in it: a document by its beginning, a
 * fragment by beginning and ending with a tag.
 */
export function looksLikeHtml(text: string): boolean {
  const start = skipPreamble(text.slice(0, CHARACTERS_OF_HTML));
  const head = text.slice(start, start + 64);
  if (document.test(head)) return true;
  return fragment.test(head) && text.trimEnd().endsWith(">");
}

/** The offset of the first text that is neither white space nor a byte order mark, comment or instruction. */
function skipPreamble(text: string): number {
  let at = 0;
  while (true) {
    while (at < text.length && /[\s\uFEFF]/.test(text.charAt(at))) at++;
    const close = text.startsWith("<!--", at) ? "-->" : text.startsWith("<?", at) ? ">" : undefined;
    const end = close === undefined ? -1 : text.indexOf(close, at);
    if (close === undefined || end < 0) return at;
    at = end + close.length;
  }
}

/** The beginning of a text shows its type. */
const CHARACTERS_OF_MARKDOWN = 8_000;

/** Marks that are rare in other kinds of text. */
const strong: readonly RegExp[] = [
  // A fence that opens and closes.
  /^ {0,3}(`{3,}|~{3,})[^`\n]*\n[^]*?^ {0,3}\1[ \t]*$/m,
  // A link with an address.
  /(?<!\w)!?\[[^\]\n]{0,200}\]\((?:https?:\/\/|\.{0,2}\/|#|[\w/-]+\.[a-z]{2,5}\b)[^()\s]*(?: "[^"\n]*")?\)/,
  // The line under the head of a table.
  /^ {0,3}\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:? *)?$/m,
  // The definition of a link's name.
  /^ {0,3}\[[^\]\n]{1,100}\]: +\S+$/m,
];
/** The comment of a script looks like a heading, but its text follows without a blank line. */
const heading = /^#{1,6} \S[^\n]*\n[ \t]*\n/m;
const weak: readonly RegExp[] = [
  /(?<!\*)\*\*[^\s*][^*\n]*\*\*/,
  /^ {0,3}[-*+] \S[^\n]*\n {0,3}[-*+] \S/m,
  /(?<!`)`[^`\n]+`(?!`)/,
];
const otherLanguage = /^\uFEFF?\s*(?:#!|<\?|[{[]\s*["{[\]}])/;

/**
 * Whether a text of undeclared type reads as Markdown: it needs at least two marks, one of them rare in other
 * texts. For a few marks in a plain text, it is not worth changing its lines.
 */
export function looksLikeMarkdown(text: string): boolean {
  const head = text.slice(0, CHARACTERS_OF_MARKDOWN).replaceAll("\r\n", "\n");
  if (otherLanguage.test(head)) return false;
  const count = (signs: readonly RegExp[]): number => signs.filter((sign) => sign.test(head)).length;
  const isHeaded = heading.test(head);
  const sure = count(strong);
  if (sure === 0) return isHeaded && count(weak) > 1;
  return isHeaded || sure > 1 || count(weak) > 0;
}
