/** What a text is shows in its beginning. */
const CHARACTERS_LOOKED_AT = 8_000;

/** Hardly anybody writes these in another kind of text. */
const strong: readonly RegExp[] = [
  // A fence that opens and closes.
  /^ {0,3}(`{3,}|~{3,})[^`\n]*\n[^]*?^ {0,3}\1[ \t]*$/m,
  // A link with an address.
  /(?<!\w)!?\[[^\]\n]{0,200}\]\((?:https?:\/\/|\.{0,2}\/|#|[\w/-]+\.[a-z]{2,5}\b)[^()\s]*(?: "[^"\n]*")?\)/,
  // The line under the head of a table.
  /^ {0,3}\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:? *)?$/m,
  // What a link's name stands for.
  /^ {0,3}\[[^\]\n]{1,100}\]: +\S+$/m,
];
/** A comment of a script looks like a heading, but has its text right under it. */
const heading = /^#{1,6} \S[^\n]*\n[ \t]*\n/m;
const weak: readonly RegExp[] = [
  /(?<!\*)\*\*[^\s*][^*\n]*\*\*/,
  /^ {0,3}[-*+] \S[^\n]*\n {0,3}[-*+] \S/m,
  /(?<!`)`[^`\n]+`(?!`)/,
];
const otherLanguage = /^\uFEFF?\s*(?:#!|<\?|[{[]\s*["{[\]}])/;

/**
 * Whether a text of which nobody says what it is reads as Markdown: by two signs at least, one of which hardly stands in
 * another text. A few marks in a plain text are not worth taking its lines apart.
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
