import { numberLoss } from "./find-losses.ts";
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  codeAt,
  isDigit,
  scanLiteral,
  scanNumber,
  scanString,
  skipSpace,
  skipString,
  skipToQuote,
} from "./scan-token.ts";

export type Expected =
  | "value"
  | "item"
  | "next-item"
  | "key"
  | "next-key"
  | "colon"
  | "comma-or-brace"
  | "comma-or-bracket"
  | "end"
  | "string"
  | "number"
  | "literal";

export interface JsonFault {
  readonly kind: "syntax" | "depth";
  readonly offset: number;
  readonly expected: Expected;
}

type JsonScan =
  | { readonly fault: JsonFault }
  | {
      readonly fault: undefined;
      readonly keyCount: number;
      readonly losesNumbers: boolean;
      /** A key that looks like an array index exists: JSON.parse may move it to the front. */
      readonly mayReorderKeys: boolean;
      /** No space outside texts, and every number as JSON.stringify writes it. Escapes are not considered. */
      readonly isDense: boolean;
    };

/** A double keeps any 15 significant digits; only an exponent can exceed its range. */
const SAFE_NUMBER_LENGTH = 15;

/**
 * One pass over the text: checks grammar and depth, counts keys, notices numbers that change. Unless `strict`, it is
 * right only about valid text, and skips checks that JSON.parse does faster.
 */
export function scanJson(text: string, maxDepth: number, strict = false): JsonScan {
  const closers: number[] = [];
  let closer = 0;
  let keyCount = 0;
  let losesNumbers = false;
  let mayReorderKeys = false;
  let isDense = text.charCodeAt(0) > SPACE;
  let expected: Expected = "value";
  let offset = skipSpace(text, 0);
  for (;;) {
    const start = offset;
    let code = codeAt(text, start);
    let inValue = false;
    if (code === QUOTE) {
      offset = strict ? scanString(text, start) : skipString(text, start);
      if (offset < 0) return fail(~offset, "string");
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (closers.length >= maxDepth) return fail(start, expected, "depth");
      closers.push(closer);
      closer = code + 2;
      expected = code === OPEN_BRACE ? "key" : "item";
      offset = skipSpace(text, start + 1);
      if (offset !== start + 1) isDense = false;
      inValue = codeAt(text, offset) !== closer;
      if (!inValue) {
        offset++;
        closer = closers.pop() ?? 0;
      }
    } else if (isDigit(code) || code === MINUS) {
      offset = scanNumber(text, start);
      if (offset < 0) return fail(~offset, "number");
      const isSimple = isSimpleNumber(text, start, offset);
      if (!isSimple && (isDense || !losesNumbers)) {
        const token = text.slice(start, offset);
        if (String(Number(token)) !== token) {
          isDense = false;
          losesNumbers ||= numberLoss(token) !== undefined;
        }
      }
    } else {
      offset = scanLiteral(text, start);
      if (offset < 0) return fail(~offset, ~offset === start ? expected : "literal");
    }
    while (!inValue) {
      code = codeAt(text, offset);
      if (code <= SPACE) {
        const end = skipSpace(text, offset);
        if (end !== offset) isDense = false;
        offset = end;
        code = codeAt(text, offset);
      }
      if (closer === 0) {
        if (offset < text.length) return fail(offset, "end");
        return { fault: undefined, keyCount, losesNumbers, mayReorderKeys, isDense };
      }
      if (code === COMMA) {
        const jumps = closer === CLOSE_BRACE && !strict;
        const next = jumps ? skipToQuote(text, offset + 1) : skipSpace(text, offset + 1);
        if (next !== offset + 1) isDense = false;
        offset = next;
        expected = closer === CLOSE_BRACE ? "next-key" : "next-item";
        inValue = true;
      } else if (code === closer) {
        offset++;
        closer = closers.pop() ?? 0;
      } else return fail(offset, closer === CLOSE_BRACE ? "comma-or-brace" : "comma-or-bracket");
    }
    if (closer === CLOSE_BRACKET) continue;
    if (codeAt(text, offset) !== QUOTE) return fail(offset, expected);
    const end = strict ? scanString(text, offset) : skipString(text, offset);
    if (end < 0) return fail(~end, "string");
    keyCount++;
    if (mayBeIndex(text, offset, end)) mayReorderKeys = true;
    offset = skipSpace(text, end);
    if (codeAt(text, offset) !== COLON) return fail(offset, "colon");
    const colon = offset;
    offset = skipSpace(text, colon + 1);
    if (colon !== end || offset !== colon + 1) isDense = false;
    expected = "value";
  }
}

function fail(offset: number, expected: Expected, kind: "syntax" | "depth" = "syntax"): JsonScan {
  return { fault: { kind, offset, expected } };
}

/** A whole number that a double keeps and writes the same. Other numbers have to be tried. */
function isSimpleNumber(text: string, start: number, end: number): boolean {
  if (end - start > SAFE_NUMBER_LENGTH) return false;
  for (let offset = start; offset < end; offset++) {
    const code = text.charCodeAt(offset);
    if (!isDigit(code) && code !== MINUS) return false;
  }
  // Minus zero is written without its sign.
  return text.charCodeAt(start) !== MINUS || text.charCodeAt(start + 1) !== 0x30;
}

function mayBeIndex(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start + 1);
  // An escaped digit ("\u0031") ends in a digit too.
  return (first === BACKSLASH || isDigit(first)) && isDigit(text.charCodeAt(end - 2));
}
