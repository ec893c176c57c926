/** What Windows-1252 has at 80 to 9F. */
const WINDOWS_1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** The name that the web's encoding standard gives a label; undefined for one it does not know, or that is unsafe. */
export function charsetName(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

/** Decodes with a known charset; undecodable bytes become U+FFFD. A byte order mark is taken off. */
export function decodeWith(charset: string, bytes: Uint8Array): string {
  return mended(charset, new TextDecoder(charset).decode(bytes));
}

/** Decodes with a known charset, or gives undefined at the first bytes that do not fit it. */
export function decodeStrictly(charset: string, bytes: Uint8Array): string | undefined {
  try {
    return mended(charset, new TextDecoder(charset, { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

// Node 20 decodes Windows-1252 as Latin-1: quotation marks come out as control characters.
function mended(charset: string, text: string): string {
  if (charset !== "windows-1252") return text;
  return text.replaceAll(/[\u0080-\u009f]/g, (mark) => WINDOWS_1252.charAt(mark.charCodeAt(0) - 0x80));
}
