// The characters that JSON is made of, for all code that reads JSON character by character.
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

const DOT = 0x2e;
const PLUS = 0x2b;
const ZERO = 0x30;
const LOWER_E = 0x65;
const LOWER_U = 0x75;

/** Past the end it returns NUL, which the grammar allows nowhere; charCodeAt's NaN would make the loops slow. */
export function codeAt(text: string, offset: number): number {
  return offset < text.length ? text.charCodeAt(offset) : 0;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function skipSpace(text: string, from: number): number {
  const { length } = text;
  let offset = from;
  while (offset < length) {
    const code = text.charCodeAt(offset);
    if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) return offset;
    offset++;
  }
  return offset;
}

/** Takes the offset of the opening quote; returns the offset past the closing one, or `~offset` of the fault. */
function scanString(text: string, from: number): number {
  let offset = from + 1;
  for (;;) {
    const code = codeAt(text, offset);
    if (code === QUOTE) return offset + 1;
    if (code === BACKSLASH) {
      const end = scanEscape(text, offset + 1);
      if (end < 0) return end;
      offset = end;
    } else if (code >= 0x20) offset++;
    else return ~offset;
  }
}

/** Like `scanString`, for text that JSON.parse checks as well: finds the closing quote and checks nothing. */
export function skipString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return ~text.length;
}

/** Like `skipSpace` before a key, for text that JSON.parse checks as well. */
function skipToQuote(text: string, from: number): number {
  if (codeAt(text, from) === QUOTE) return from;
  const quote = text.indexOf('"', from);
  return quote === -1 ? text.length : quote;
}

function scanEscape(text: string, offset: number): number {
  const code = codeAt(text, offset);
  if (code !== LOWER_U)
    return code < 0x80 && '"\\/bfnrt'.includes(String.fromCharCode(code)) ? offset + 1 : ~offset;
  for (let index = offset + 1; index <= offset + 4; index++) {
    const digit = codeAt(text, index) | 0x20;
    if (!isDigit(codeAt(text, index)) && !(digit >= 0x61 && digit <= 0x66)) return ~index;
  }
  return offset + 5;
}

function skipDigits(text: string, from: number): number {
  let offset = from;
  while (isDigit(codeAt(text, offset))) offset++;
  return offset;
}

export function scanNumber(text: string, from: number): number {
  let offset = codeAt(text, from) === MINUS ? from + 1 : from;
  if (codeAt(text, offset) === ZERO) offset++;
  else {
    const end = skipDigits(text, offset);
    if (end === offset) return ~offset;
    offset = end;
  }
  if (codeAt(text, offset) === DOT) {
    const end = skipDigits(text, offset + 1);
    if (end === offset + 1) return ~end;
    offset = end;
  }
  if ((codeAt(text, offset) | 0x20) !== LOWER_E) return offset;
  const sign = codeAt(text, offset + 1);
  const start = sign === MINUS || sign === PLUS ? offset + 2 : offset + 1;
  const end = skipDigits(text, start);
  return end === start ? ~end : end;
}

function scanLiteral(text: string, offset: number): number {
  const code = codeAt(text, offset);
  const literal = code === 0x74 ? "true" : code === 0x66 ? "false" : code === 0x6e ? "null" : "";
  if (literal === "") return ~offset;
  if (text.startsWith(literal, offset)) return offset + literal.length;
  let index = 1;
  while (text[offset + index] === literal[index]) index++;
  return ~(offset + index);
}

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

/** Valid JSON without the spaces and line ends between its parts; every number, text and escape stays as written. */
export function dropSpaces(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (let offset = 0; offset < text.length;) {
    const code = text.charCodeAt(offset);
    if (code === QUOTE) offset = skipString(text, offset);
    else if (code <= SPACE) {
      pieces.push(text.slice(copied, offset));
      offset = skipSpace(text, offset);
      copied = offset;
    } else offset++;
  }
  if (copied === 0) return text;
  pieces.push(text.slice(copied));
  return pieces.join("");
}

type NumberLoss = "number-range" | "number-precision";

/** What a JSON number loses when it is read as a double; undefined if it is written back with the same value. */
export function numberLoss(token: string): NumberLoss | undefined {
  const value = Number(token);
  const written = String(value);
  if (written === token) return undefined;
  if (!Number.isFinite(value)) return "number-range";
  return sameDecimal(token, written) ? undefined : "number-precision";
}

function sameDecimal(a: string, b: string): boolean {
  const left = toDecimal(a);
  const right = toDecimal(b);
  return left.digits === right.digits && (left.digits === "" || left.exponent === right.exponent);
}

/** The digits without zeros at either end (none for zero), and the exponent of the last digit. */
function toDecimal(token: string): { digits: string; exponent: number } {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const all = whole + fraction;
  let start = 0;
  while (all[start] === "0") start++;
  let end = all.length;
  while (end > start && all[end - 1] === "0") end--;
  return { digits: all.slice(start, end), exponent: Number(exponent) - fraction.length + all.length - end };
}
