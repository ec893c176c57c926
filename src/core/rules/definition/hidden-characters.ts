// Finds characters that a person who reads a text cannot see, or takes for others, while a model reads them.
// It promises not to report characters with an honest use: emoji with joiners and flags, joiners of Persian and Indic
// scripts, Greek letters of formulas, line breaks and tabs. It never changes a text.

interface Range {
  readonly from: number;
  readonly to: number;
  readonly what: string;
}

const hidden: readonly Range[] = [
  { from: 0x00, to: 0x08, what: "control character" },
  { from: 0x0b, to: 0x0c, what: "control character" },
  { from: 0x0e, to: 0x1f, what: "control character" },
  { from: 0x7f, to: 0x9f, what: "control character" },
  { from: 0x115f, to: 0x1160, what: "filler that is not seen" },
  { from: 0x180e, to: 0x180e, what: "separator that is not seen" },
  { from: 0x200b, to: 0x200b, what: "zero-width space" },
  { from: 0x202a, to: 0x202e, what: "change of the writing direction" },
  { from: 0x2060, to: 0x2064, what: "operator that is not seen" },
  { from: 0x2066, to: 0x2069, what: "change of the writing direction" },
  { from: 0x206a, to: 0x206f, what: "control character" },
  { from: 0x3164, to: 0x3164, what: "filler that is not seen" },
  { from: 0xfeff, to: 0xfeff, what: "zero-width space" },
  { from: 0xffa0, to: 0xffa0, what: "filler that is not seen" },
  { from: 0xfff9, to: 0xfffb, what: "control character" },
  { from: 0xe0000, to: 0xe007f, what: "tag character" },
  { from: 0xe0100, to: 0xe01ef, what: "variation selector" },
];

const JOINERS = /[\u200C\u200D]/;
const PLAIN = /[\u0020-\u007E]/;
const HAN = /\p{Script=Han}$/u;
/** The flags of England, Scotland and Wales are written with tag characters after a black flag. */
const FLAGS = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{2,6}\u{E007F}/gu;

/** All characters of the table, and the joiners. */
const SUSPICIOUS = new RegExp(
  `[\\u200C\\u200D${hidden.map(({ from, to }) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join("")}]`,
  "gu",
);
const MAX_FOUND = 1_000;

function nameOf(character: string, what: string): string {
  const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `U+${point} (${what})`;
}

/** The kind of a suspicious character; undefined if it has an honest use in this place. */
function judgeCharacter(character: string, before: string, after: string): string | undefined {
  // Joiners belong between letters of other scripts and in emoji; between plain letters they hide something.
  if (JOINERS.test(character)) {
    const isHiding = PLAIN.test(before.slice(-1)) && PLAIN.test(after.slice(0, 1));
    return isHiding ? "joiner that is not seen" : undefined;
  }
  const point = character.codePointAt(0) ?? 0;
  const what = hidden.find(({ from, to }) => point >= from && point <= to)?.what;
  return what === "variation selector" && HAN.test(before) ? undefined : what;
}

/** The invisible characters of a text, each once, in words; the first 1,000 are examined. */
export function findHidden(text: string): readonly string[] {
  const plain = text.replaceAll(FLAGS, "");
  const found = new Set<string>();
  let looked = 0;
  for (const { 0: character, index } of plain.matchAll(SUSPICIOUS)) {
    if (++looked > MAX_FOUND) break;
    const end = index + character.length;
    const what = judgeCharacter(
      character,
      plain.slice(Math.max(0, index - 2), index),
      plain.slice(end, end + 1),
    );
    if (what !== undefined) found.add(nameOf(character, what));
  }
  return [...found];
}

/** Letters that look like Latin ones, by code point, because in this file they would look the same too. */
const lookalikes = new Set(
  // Cyrillic a, ie, o, er, es, u, ha, i, je, dze; the same as capitals; capital ka, em, en, te, ve; three rare ones.
  "\u0430\u0435\u043E\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0410\u0415\u041E\u0420\u0421\u0423\u0425\u0406\u0408\u0405\u041A\u041C\u041D\u0422\u0412\u0501\u04BB\u04CF" +
    // Greek omicron, and the capitals from Alpha to Chi that Latin has too.
    "\u03BF\u0391\u0392\u0395\u0396\u0397\u0399\u039A\u039C\u039D\u039F\u03A1\u03A4\u03A5\u03A7",
);
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const FULLWIDTH = /[\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7FF}]/u;

const MAX_READ = 100_000;

/** Words of Latin letters that also contain lookalikes from other scripts, in the first 100,000 characters. */
export function findLookalikes(text: string): readonly string[] {
  if (!/[\u0250-\u{10FFFF}]/u.test(text)) return [];
  const words = text.slice(0, MAX_READ).match(WORD) ?? [];
  return [...new Set(words.filter(isMixed))];
}

function isMixed(word: string): boolean {
  const letters = Array.from(word).filter((one) => /\p{L}/u.test(one));
  const isPlainLatin = (one: string): boolean => LATIN.test(one) && !FULLWIDTH.test(one);
  const others = letters.filter((one) => !isPlainLatin(one));
  if (others.length === 0 || others.length === letters.length) return false;
  // A word with a letter unlike any Latin one was meant in another script: "SQLзапрос".
  return others.every((one) => lookalikes.has(one) || FULLWIDTH.test(one));
}
