// Secrets behind escapes that nobody needs: `\u0070assword`, `ghp%5F…`, `&quot;token&quot;`. The text around them is read
// without them, and what is found is masked in the text as it is written.

import { findSecrets } from "./find-secrets.ts";
import type { Finding } from "./mask.ts";

/** So much of the text to either side of an escape is read. */
const AROUND = 512;
/** An escape further before a secret has nothing to do with it. */
const NEAR = 160;
/** Up to here one look at the letters is cheaper than one for each sign. */
const SHORT = 512;

const anySign = /[%&\\]/;
const signs = ["\\u00", "%", "&quot;", "&#"];
// Letters, digits, "-", "_", and what joins a name and its value. Other escapes are where they have to be.
const word = "2[dD]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aA]";
const entity = "&(?<entity>quot|#34|#39|#58|#61|#x22|#x27|#x3[aAdD]);";
const unicode = `\\\\u00(?<unicode>${word}|3[aAdD])`;
const percent = `%(?:25){0,2}(?<percent>${word}|(?<=25)3[aAdD])`;
const needless = new RegExp(`${unicode}|${percent}|${entity}`, "y");
/** In an address with an "@" in it, which may be an address with a login inside another. */
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
      // In JSON inside JSON the backslashes are doubled; none of them is part of what is meant.
      let start = at;
      while (text[start - 1] === "\\" && text[start] === "\\" && at - start < 7) start--;
      escapes.push({ start, end: escape.lastIndex, meant: meantBy(found.groups ?? {}) });
    }
  }
  return escapes.sort((one, other) => one.start - other.start);
}

/** The secrets of a text that show only when it is read without needless escapes; in its own places. */
export function readThrough(text: string): readonly Finding[] {
  const mayHide = text.length < SHORT ? anySign.test(text) : signs.some((sign) => text.includes(sign));
  const escapes = mayHide ? escapesIn(text) : [];
  const findings: Finding[] = [];
  for (let first = 0; first < escapes.length;) {
    let last = first;
    while ((escapes[last + 1]?.start ?? Infinity) <= (escapes[last]?.end ?? 0) + AROUND) last++;
    findings.push(...findAround(text, escapes.slice(first, last + 1), findings.at(-1)?.end ?? 0));
    first = last + 1;
  }
  return findings;
}

function findAround(text: string, escapes: readonly Escape[], from: number): readonly Finding[] {
  const begin = Math.max(from, (escapes[0]?.start ?? 0) - AROUND);
  let plain = "";
  let at = begin;
  /** Where stretches begin, read plainly and as they are written. */
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
