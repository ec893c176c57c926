import type { WarningDetail } from "../../../core/contract/warning.ts";
import {
  charsetInside,
  charsetName,
  decodeStrictly,
  decodeWith,
  guessCharset,
  utf16Shape,
} from "./charset.ts";

export interface DecodeOptions {
  /** The label that came with the bytes, such as the charset of a Content-Type. */
  readonly charset?: string | undefined;
  readonly isHtml?: boolean | undefined;
}

export interface DecodedText {
  readonly text: string;
  readonly charset: string;
  readonly warnings: readonly WarningDetail[];
}

/**
 * Turns bytes into text. In this order: a byte order mark; the charset declared outside, then inside; the shape of
 * UTF-16; UTF-8 when every byte fits it; the likeliest charset. A declaration that the bytes contradict is not
 * followed. It never throws: what was guessed, and how much could not be decoded, stands in the warnings.
 */
export async function decodeText(bytes: Uint8Array, options: DecodeOptions = {}): Promise<DecodedText> {
  const marked = markedCharset(bytes);
  if (marked !== undefined) return lossy(marked, bytes, []);
  const label = options.charset ?? charsetInside(bytes, options.isHtml === true);
  const declared = label === undefined ? undefined : charsetName(label);
  const warnings = label !== undefined && declared === undefined ? [unknownLabel(label)] : [];
  if (declared !== undefined) {
    const text = decodeStrictly(declared, bytes);
    if (text !== undefined && !isRatherUtf8(declared, bytes)) return { text, charset: declared, warnings };
  }
  return decodeUndeclared(bytes, declared, warnings);
}

async function decodeUndeclared(
  bytes: Uint8Array,
  declared: string | undefined,
  warnings: readonly WarningDetail[],
): Promise<DecodedText> {
  const shape = utf16Shape(bytes) ?? (hasJapaneseEscape(bytes) ? "iso-2022-jp" : undefined);
  const unicode = shape === undefined ? decodeStrictly("utf-8", bytes) : undefined;
  if (unicode !== undefined) {
    const said = declared === undefined ? [] : [contradicted(declared, "utf-8")];
    return { text: unicode, charset: "utf-8", warnings: [...warnings, ...said] };
  }
  if (shape !== undefined) return lossy(shape, bytes, [...warnings, guessed(shape)]);
  const utf8 = decodeWith("utf-8", bytes);
  if (isMostlyUtf8(utf8)) return lossy("utf-8", bytes, warnings);
  if (declared !== undefined && declared !== "utf-8") return lossy(declared, bytes, warnings);
  const { charset, confidence } = await guessCharset(bytes);
  const said = declared === undefined ? guessed(charset, confidence) : contradicted(declared, charset);
  return lossy(charset, bytes, [...warnings, said]);
}

function markedCharset([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** Some charsets fit any bytes, so that fitting them proves nothing; fitting UTF-8 does. */
function isRatherUtf8(declared: string, bytes: Uint8Array): boolean {
  if (declared === "windows-1252")
    return bytes.some((byte) => byte >= 0x80) && decodeStrictly("utf-8", bytes) !== undefined;
  return declared.startsWith("utf-16") && !bytes.includes(0) && decodeStrictly("utf-8", bytes) !== undefined;
}

/** ISO-2022-JP is all ASCII, so it would pass for UTF-8: it switches by escapes that no text has otherwise. */
function hasJapaneseEscape(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at >= 0; at = bytes.indexOf(0x1b, at + 1))
    if (bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x42 || bytes[at + 2] === 0x40)) return true;
  return false;
}

/** Whether more letters beyond ASCII came through than were lost: then other bytes got into a UTF-8 text. */
function isMostlyUtf8(text: string): boolean {
  let lost = 0;
  let kept = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0xfffd) lost++;
    else if (unit >= 0x80) kept++;
  }
  return kept > lost;
}

function lossy(charset: string, bytes: Uint8Array, warnings: readonly WarningDetail[]): DecodedText {
  const strict = decodeStrictly(charset, bytes);
  if (strict !== undefined) return { text: strict, charset, warnings };
  const text = decodeWith(charset, bytes);
  const count = text.split("\ufffd").length - 1;
  return { text, charset, warnings: [...warnings, undecodable(charset, count)] };
}

function unknownLabel(label: string): WarningDetail {
  const shown = label.slice(0, 40);
  return {
    code: "CHARSET_UNKNOWN",
    severity: "warning",
    message: `The declared charset "${shown}" is not known; the bytes decided`,
    context: { declared: shown },
  };
}

function guessed(charset: string, confidence?: number): WarningDetail {
  return {
    code: "CHARSET_GUESSED",
    severity: "warning",
    message: `The charset was not declared and was taken to be ${charset}; letters beyond ASCII may be wrong`,
    context: { charset, ...(confidence === undefined ? {} : { confidence }) },
  };
}

function contradicted(declared: string, charset: string): WarningDetail {
  return {
    code: "CHARSET_GUESSED",
    severity: "warning",
    message: `The bytes do not fit the declared charset ${declared} and were read as ${charset}`,
    context: { declared, charset },
  };
}

function undecodable(charset: string, count: number): WarningDetail {
  return {
    code: "TEXT_UNDECODABLE",
    severity: "warning",
    message: `${count} place${count === 1 ? "" : "s"} could not be decoded as ${charset} and ${count === 1 ? "reads" : "read"} \ufffd`,
    context: { charset, replaced: count },
  };
}
