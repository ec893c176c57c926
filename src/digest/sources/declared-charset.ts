/** Browsers look for a `meta` in the first 1,024 bytes; pages that put it later are common enough. */
const HEAD_BYTES = 4096;

const parameter = /;\s*charset\s*=\s*["']?([^\s"';]+)/i;
const metaTag = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i;
const xmlDeclaration = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)["']/;

/** The charset that a Content-Type names. */
export function charsetOfType(contentType: string | undefined): string | undefined {
  return contentType === undefined ? undefined : parameter.exec(contentType)?.[1];
}

/** The charset that a document names itself, in an XML declaration or, for HTML, in a `meta`. */
export function charsetInside(bytes: Uint8Array, isHtml: boolean): string | undefined {
  const head = asciiOf(bytes.subarray(0, HEAD_BYTES));
  const named = xmlDeclaration.exec(head)?.[1] ?? (isHtml ? metaTag.exec(head)?.[1] : undefined);
  // What could be read as ASCII is not UTF-16, whatever it says.
  return named !== undefined && /^utf-?16/i.test(named) ? "utf-8" : named;
}

/** Few bytes as letters of the same number, for looking at what is ASCII in them. */
export function asciiOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
