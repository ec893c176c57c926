import { type SecretRange, maskOf, maskedStretches } from "./mask.ts";
import { findSecrets } from "./find-secrets.ts";

// Secrets hidden by needless escapes: `\u0070assword`, `ghp%5F…`, `&quot;token&quot;`. The text around the escapes is
// read with them decoded, and findings are masked in the text as it is written.

/** How much of the text is read to either side of an escape. */
const AROUND = 512;
/** An escape further before a secret is unrelated to it. */
const NEAR = 160;
/** Up to this length one search for the characters is cheaper than one for each sign. */
const SHORT = 512;

const anySign = /[%&\\]/;
const signs = ["\\u00", "%", "&quot;", "&#"];
// Letters, digits, "-", "_", and what joins a name and its value. Other escapes are necessary where they are.
const word = "2[dD]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aA]";
const entity = "&(?<entity>quot|#34|#39|#58|#61|#x22|#x27|#x3[aAdD]);";
const unicode = `\\\\u00(?<unicode>${word}|3[aAdD])`;
const percent = `%(?:25){0,2}(?<percent>${word}|(?<=25)3[aAdD])`;
const needless = new RegExp(`${unicode}|${percent}|${entity}`, "y");
/** For a text with an "@", which may be an address with a login inside another address. */
const needlessInAddress = new RegExp(
  `${unicode}|%(?:25){0,2}(?<percent>${word}|3[aAdD]|2[fF]|40)|${entity}`,
  "y",
);

interface Escape {
  readonly start: number;
  readonly end: number;
  readonly meant: string;
}

function meantBy({ unicode, percent, entity }: Readonly<Record<string, string | undefined>>): string {
  const hex = unicode ?? percent;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (entity === undefined || entity === "quot") return '"';
  return String.fromCharCode(
    entity[1] === "x" ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1)),
  );
}

/** The needless escapes of a text, in order. */
function escapesIn(text: string): readonly Escape[] {
  const escapes: Escape[] = [];
  const escape = /%(?:25){0,2}40/.test(text) ? needlessInAddress : needless;
  for (const sign of signs) {
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
      escape.lastIndex = at;
      const found = escape.exec(text);
      if (found === null) continue;
      // In JSON inside JSON the backslashes are doubled; all of them belong to the escape.
      let start = at;
      while (text[start - 1] === "\\" && text[start] === "\\" && at - start < 7) start--;
      escapes.push({ start, end: escape.lastIndex, meant: meantBy(found.groups ?? {}) });
    }
  }
  return escapes.sort((one, other) => one.start - other.start);
}

/** The secrets of a text that show only if needless escapes are decoded; with their places in the original text. */
function readThrough(text: string): readonly SecretRange[] {
  const mayHide = text.length < SHORT ? anySign.test(text) : signs.some((sign) => text.includes(sign));
  const escapes = mayHide ? escapesIn(text) : [];
  const findings: SecretRange[] = [];
  for (let first = 0; first < escapes.length;) {
    let last = first;
    while ((escapes[last + 1]?.start ?? Infinity) <= (escapes[last]?.end ?? 0) + AROUND) last++;
    findings.push(...findAround(text, escapes.slice(first, last + 1), findings.at(-1)?.end ?? 0));
    first = last + 1;
  }
  return findings;
}

function findAround(text: string, escapes: readonly Escape[], from: number): readonly SecretRange[] {
  const begin = Math.max(from, (escapes[0]?.start ?? 0) - AROUND);
  let plain = "";
  let at = begin;
  /** The starts of ranges, in the decoded text and in the original. */
  const places: { readonly plain: number; readonly written: number }[] = [{ plain: 0, written: begin }];
  for (const { start, end, meant } of escapes) {
    if (start < at) continue;
    plain += text.slice(at, start) + meant;
    places.push({ plain: plain.length - 1, written: start }, { plain: plain.length, written: end });
    at = end;
  }
  plain += text.slice(at, at + AROUND);
  let next = 0;
  const written = (index: number): number => {
    while ((places[next + 1]?.plain ?? Infinity) <= index) next++;
    const place = places[next];
    return place === undefined ? index : place.written + index - place.plain;
  };
  let near = 0;
  return findSecrets(plain).flatMap(({ start, end, label }) => {
    const [begun, ended] = [written(start), written(end)];
    while ((escapes[near]?.end ?? Infinity) < begun - NEAR) near++;
    return (escapes[near]?.start ?? Infinity) < ended ? [{ start: begun, end: ended, label }] : [];
  });
}

/** A pattern of the caller's own; its whole match is masked. */
export interface LabelledPattern {
  readonly label: string;
  readonly pattern: RegExp;
}

export interface TextRules {
  readonly patterns: readonly LabelledPattern[];
  readonly isAllowed: (secret: string) => boolean;
}

export interface RedactedText {
  readonly text: string;
  readonly count: number;
}

/** The shortest text that can hold a secret in its context. */
const MIN_LENGTH = 8;
/** A mask can complete a context that was incomplete before; in practice the second pass finds nothing. */
const MAX_LOOKS = 4;

const finders = [findSecrets, readThrough];

/** Masks the secrets of a text. Existing masks stay. */
export function redactText(text: string, rules: TextRules): RedactedText {
  let current = text;
  let count = 0;
  for (let look = 0; look < MAX_LOOKS; look++) {
    const before = count;
    for (const { label, pattern } of rules.patterns) {
      const masked = mask(current, findPattern(current, label, pattern), rules);
      current = masked.text;
      count += masked.count;
    }
    if (current.length >= MIN_LENGTH) {
      for (const find of finders) {
        const masked = mask(current, insideStrings(current, find(current)), rules);
        current = masked.text;
        count += masked.count;
      }
    }
    if (count === before) break;
  }
  return { text: current, count };
}

function mask(text: string, findings: readonly SecretRange[], { isAllowed }: TextRules): RedactedText {
  let masked = "";
  let from = 0;
  let count = 0;
  for (const { start, end, label } of findings) {
    if (isAllowed(text.slice(start, end))) continue;
    masked += text.slice(from, start) + maskOf(label);
    from = end;
    count++;
  }
  return count === 0 ? { text, count } : { text: masked + text.slice(from), count };
}

function findPattern(text: string, label: string, pattern: RegExp): SecretRange[] {
  const masks = maskedStretches(text);
  let next = 0;
  const findings: SecretRange[] = [];
  for (const found of text.matchAll(pattern)) {
    const start = found.index;
    const end = start + found[0].length;
    while ((masks[next]?.end ?? Infinity) <= start) next++;
    const isClear = (masks[next]?.start ?? Infinity) >= end;
    if (end > start && isClear) findings.push({ start, end, label });
  }
  return findings;
}

const mayBeJson = /^\s*["[{]/;

function isJson(text: string): boolean {
  if (!mayBeJson.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The quotes that open and close the strings of a JSON text, in order. */
function* quotesIn(text: string): Generator<number> {
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === "\\") before--;
    if ((at - before) % 2 === 0) yield at;
  }
}

/**
 * In a JSON text secrets are only inside strings: a finding that begins outside a string is dropped, and one that ends
 * outside ends with the string that it began in. So a mask never breaks the JSON around it.
 */
function insideStrings(text: string, findings: readonly SecretRange[]): readonly SecretRange[] {
  if (findings.length === 0 || !isJson(text)) return findings;
  const quotes = quotesIn(text);
  let quote = quotes.next();
  let isInside = false;
  /** Moves on to a place and tells whether it is inside a string, the closing quote included. */
  const moveTo = (place: number): boolean => {
    while (quote.done !== true && quote.value < place) {
      isInside = !isInside;
      quote = quotes.next();
    }
    return isInside;
  };
  return findings.flatMap((finding) => {
    if (!moveTo(finding.start)) return [];
    const stringEnd = quote.value ?? text.length;
    return moveTo(finding.end) ? [finding] : [{ ...finding, end: stringEnd }].filter(isLonger);
  });
}

function isLonger({ start, end }: SecretRange): boolean {
  return end > start;
}
