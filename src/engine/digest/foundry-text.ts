import { decodeHTML } from "entities/decode";

/** White space in Python; JavaScript's \s lacks 1C to 1F and 85, and also has FEFF. */
const SPACE = "\\t-\\r\\u001c- \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const spaceRun = new RegExp(`[${SPACE}]+`, "g");
const reference = /&(?:#([0-9]+);?|#[xX]([0-9a-fA-F]+);?|[^\t\n\f <&#;]{1,32};?)/g;

/** The characters of Windows-1252 at 80 to 9F; HTML reads references to those code points in this way. */
const windows1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

function isInvalid(code: number): boolean {
  if (code === 0x0b || (code >= 0x01 && code <= 0x08) || (code >= 0x0e && code <= 0x1f)) return true;
  return code === 0x7f || (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
}

function characterOf(code: number): string {
  if (code === 0 || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return "\ufffd";
  if (code >= 0x80 && code <= 0x9f) return windows1252.charAt(code - 0x80);
  return isInvalid(code) ? "" : String.fromCodePoint(code);
}

/** Decodes references as Python's html.unescape does. */
function unescape(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(reference, (whole: string, decimal?: string, hex?: string) => {
    if (decimal !== undefined) return characterOf(Number.parseInt(decimal, 10));
    return hex === undefined ? decodeHTML(whole) : characterOf(Number.parseInt(hex, 16));
  });
}

/**
 * Replaces every `<`, the text up to the next `>`, and that `>` by a space; by hand, because a pattern is
 * quadratic in bare `<`.
 */
function withoutTags(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let open = text.indexOf("<"); open !== -1;) {
    const close = text[open + 1] === ">" ? open : text.indexOf(">", open + 1);
    if (close === -1) break;
    if (close > open) {
      kept.push(text.slice(from, open));
      from = close + 1;
    }
    open = text.indexOf("<", close + 1);
  }
  kept.push(text.slice(from));
  return kept.join(" ");
}

/**
 * The canonical text of the seed's system, only for its hashes and locators. Text between < and > is lost,
 * also prose, and applying it twice may lose more.
 */
export function foundryText(text: string): string {
  const spaced = withoutTags(unescape(text)).normalize("NFC").replaceAll(spaceRun, " ");
  return spaced.slice(spaced.startsWith(" ") ? 1 : 0, spaced.endsWith(" ") ? -1 : undefined);
}
