/** Comments and processing instructions before the first element are skipped up to this offset. */
const CHARACTERS_LOOKED_AT = 65_536;

const document = /^<(?:!doctype\s+html|html|head|body|title|meta|base|link)(?=[\s/>])/i;
const fragment =
  /^<(?:a|abbr|address|article|aside|b|blockquote|br|button|center|code|dd|details|div|dl|dt|em|figure|font|footer|form|h[1-6]|header|hr|i|iframe|img|li|main|nav|ol|p|pre|s|script|section|small|span|strong|style|table|tbody|td|tr|u|ul|video)(?=[\s/>])/i;

/**
 * True if a text is HTML and not prose, Markdown or XML with a tag in it: a document by its beginning, a
 * fragment by beginning and ending with a tag.
 */
export function looksLikeHtml(text: string): boolean {
  const start = skipPreamble(text.slice(0, CHARACTERS_LOOKED_AT));
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
