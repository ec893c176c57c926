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
export function scanString(text: string, from: number): number {
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
export function skipToQuote(text: string, from: number): number {
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

export function scanLiteral(text: string, offset: number): number {
  const code = codeAt(text, offset);
  const literal = code === 0x74 ? "true" : code === 0x66 ? "false" : code === 0x6e ? "null" : "";
  if (literal === "") return ~offset;
  if (text.startsWith(literal, offset)) return offset + literal.length;
  let index = 1;
  while (text[offset + index] === literal[index]) index++;
  return ~(offset + index);
}
