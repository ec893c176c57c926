/** The beginning of a text shows its type. */
const CHARACTERS_LOOKED_AT = 8_000;

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
  const head = text.slice(0, CHARACTERS_LOOKED_AT).replaceAll("\r\n", "\n");
  if (otherLanguage.test(head)) return false;
  const count = (signs: readonly RegExp[]): number => signs.filter((sign) => sign.test(head)).length;
  const isHeaded = heading.test(head);
  const sure = count(strong);
  if (sure === 0) return isHeaded && count(weak) > 1;
  return isHeaded || sure > 1 || count(weak) > 0;
}
