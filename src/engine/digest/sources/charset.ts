/** Browsers search for a `meta` in the first 1,024 bytes; many pages have it later. */
const HEAD_BYTES = 4096;

const parameter = /;\s*charset\s*=\s*["']?([^\s"';]+)/i;
const metaTag = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i;
const xmlDeclaration = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)["']/;

/** The charset in a Content-Type. */
export function charsetOfType(contentType: string | undefined): string | undefined {
  return contentType === undefined ? undefined : parameter.exec(contentType)?.[1];
}

/** The charset in the document itself: in an XML declaration or, for HTML, in a `meta`. */
export function charsetInside(bytes: Uint8Array, isHtml: boolean): string | undefined {
  const head = asciiOf(bytes.subarray(0, HEAD_BYTES));
  const named = xmlDeclaration.exec(head)?.[1] ?? (isHtml ? metaTag.exec(head)?.[1] : undefined);
  // A declaration that was readable as ASCII is not UTF-16, whatever it says.
  return named !== undefined && /^utf-?16/i.test(named) ? "utf-8" : named;
}

/** A few bytes as characters of the same number, to examine the ASCII in them. */
export function asciiOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** The characters of Windows-1252 at 80 to 9F. */
const WINDOWS_1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** The name of a label in the web's encoding standard; undefined if it is unknown or unsafe. */
export function charsetName(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

/** Decodes with a known charset; undecodable bytes become U+FFFD. A byte order mark is removed. */
export function decodeWith(charset: string, bytes: Uint8Array): string {
  return mended(charset, new TextDecoder(charset).decode(bytes));
}

/** Decodes with a known charset; undefined if any bytes do not fit it. */
export function decodeStrictly(charset: string, bytes: Uint8Array): string | undefined {
  try {
    return mended(charset, new TextDecoder(charset, { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

// Node 20 decodes Windows-1252 as Latin-1, which turns quotation marks into control characters.
function mended(charset: string, text: string): string {
  if (charset !== "windows-1252") return text;
  return text.replaceAll(/[\u0080-\u009f]/g, (mark) => WINDOWS_1252.charAt(mark.charCodeAt(0) - 0x80));
}

/** This many bytes are enough to decide. */
const UTF16_SAMPLE_BYTES = 4096;

/**
 * Recognises UTF-16 without a byte order mark. Its spaces and line ends, and all of its ASCII, have a zero
 * byte beside them, which no other text has; the side shows the byte order. Undefined if the bytes do not
 * have this shape.
 */
export function utf16Shape(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const sample = bytes.subarray(0, UTF16_SAMPLE_BYTES);
  if (isNarrow(sample)) return undefined;
  const little = weigh(sample, 0);
  const big = weigh(sample, 1);
  if (little > big && isPrintable(sample, 0)) return "utf-16le";
  return big > little && isPrintable(sample, 1) ? "utf-16be" : undefined;
}

/** Whether it is UTF-8 text with stray zeros: UTF-16 would have more zeros, or high bytes of other letters. */
function isNarrow(sample: Uint8Array): boolean {
  let zeros = 0;
  for (const byte of sample) {
    if (byte === 0) zeros++;
    else if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d)) return false;
  }
  if (zeros > 0.2 * sample.length) return false;
  try {
    // As part of a stream, because the sample may end inside a letter.
    new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The evidence for the low byte being first or second. Some letters end in a zero byte; spaces hardly mislead. */
function weigh(sample: Uint8Array, lowByte: 0 | 1): number {
  let weight = 0;
  for (let index = 0; index + 1 < sample.length; index += 2) {
    if (sample[index + 1 - lowByte] !== 0) continue;
    const low = sample[index + lowByte] ?? 0;
    weight += low === 0x20 || low === 0x0a || low === 0x0d ? 8 : 1;
  }
  return weight;
}

/** Whether its ASCII is text: other data with many zeros also has control characters. */
function isPrintable(sample: Uint8Array, lowByte: 0 | 1): boolean {
  for (let index = 0; index + 1 < sample.length; index += 2) {
    const low = sample[index + lowByte] ?? 0;
    const isAscii = sample[index + 1 - lowByte] === 0;
    if (isAscii && low < 0x20 && low !== 0x09 && low !== 0x0a && low !== 0x0c && low !== 0x0d) return false;
  }
  return true;
}

/** Detection uses letter frequencies; more bytes do not make it more certain. */
const SAMPLE_BYTES = 65_536;
/** Used if nothing fits: every byte has a meaning in it, and most undeclared text uses it. */
const FALLBACK = "windows-1252";

interface CharsetGuess {
  readonly charset: string;
  /** 0 to 100, from the detector. */
  readonly confidence: number;
}

/** The most likely charset of bytes that are not UTF-8, by the letters that they would give. */
export async function guessCharset(bytes: Uint8Array): Promise<CharsetGuess> {
  const { analyse } = await import("chardet");
  const sample = sampleOf(bytes);
  for (const { name, confidence } of analyse(sample)) {
    const charset = charsetName(name);
    // A UTF charset is never right here: it was checked before.
    if (charset === undefined || charset.startsWith("utf-")) continue;
    if (decodeStrictly(charset, withoutCutEnd(sample)) !== undefined) return { charset, confidence };
  }
  return { charset: FALLBACK, confidence: 0 };
}

/** The bytes around the first that is not ASCII: a long English preface says nothing about the text after it. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = bytes.lastIndexOf(0x0a, first) + 1;
  const from = first - start > SAMPLE_BYTES / 2 ? first : start;
  return bytes.subarray(from, from + SAMPLE_BYTES);
}

/** A sample may end inside a letter: it is cut at its last ASCII byte, if that is near. */
function withoutCutEnd(sample: Uint8Array): Uint8Array {
  if (sample.length < SAMPLE_BYTES) return sample;
  const last = sample.findLastIndex((byte) => byte < 0x40);
  return last < SAMPLE_BYTES / 2 ? sample : sample.subarray(0, last + 1);
}
