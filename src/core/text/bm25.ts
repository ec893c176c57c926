// BM25 in one pass and without an index: only the counts of the query's terms are kept, and only for texts with a hit,
// so the texts may come from a generator and are never held.

export interface RankedText {
  readonly index: number;
  readonly score: number;
  /** Whether the text contains the whole query, word for word. */
  readonly isExact: boolean;
  /** Whether it contains all words of the query, anywhere. */
  readonly hasAll: boolean;
}

interface RankOptions {
  /** How many of the best are returned. Default: all that match. */
  readonly limit?: number;
  /** Texts that have every word come before those that only have some, which may have them more often. */
  readonly allWordsFirst?: boolean;
}

/** How soon repeats stop counting, and how much a text's length counts: the usual values. */
const K1 = 1.2;
const B = 0.75;

/** The hits in columns: one row for each text with a hit, so that 100,000 hits are a few arrays. */
interface Tally {
  readonly indexes: number[];
  readonly lengths: number[];
  readonly isExact: boolean[];
  /** Each row has one count for each term of the query. */
  counts: Uint8Array;
  total: number;
  totalLength: number;
}

/** Texts that match a query, best first, equal scores in their own order; texts without a hit are left out. */
export function rankByQuery(
  texts: Iterable<string>,
  query: string,
  options: RankOptions = {},
): readonly RankedText[] {
  const parsed = parseQuery(query);
  const order = options.allWordsFirst === true ? byWordsThenScore : byScore;
  const ranked = scoreHits(parsed, tally(texts, parsed)).sort(order);
  return options.limit === undefined ? ranked : ranked.slice(0, Math.max(0, options.limit));
}

function byScore(a: RankedText, b: RankedText): number {
  return b.score - a.score || a.index - b.index;
}

function byWordsThenScore(a: RankedText, b: RankedText): number {
  return Number(b.hasAll) - Number(a.hasAll) || byScore(a, b);
}

function tally(texts: Iterable<string>, query: ParsedQuery): Tally {
  const found: Tally = {
    indexes: [],
    lengths: [],
    isExact: [],
    counts: new Uint8Array(64 * query.terms.length),
    total: 0,
    totalLength: 0,
  };
  for (const text of texts) {
    tallyText(text, query, found);
    found.total++;
    found.totalLength += text.length;
  }
  return found;
}

function tallyText(text: string, { terms, required, whole }: ParsedQuery, found: Tally): void {
  const folded = foldText(text);
  for (const phrase of required) if (countPattern(folded, phrase) === 0) return;
  const row = found.indexes.length * terms.length;
  if (row + terms.length > found.counts.length) found.counts = doubled(found.counts);
  let isHit = false;
  let place = row;
  for (const term of terms) {
    const count = countPattern(folded, term);
    // Zeros too: a text without a hit leaves its row to the next text.
    found.counts[place++] = count;
    if (count > 0) isHit = true;
  }
  if (!isHit) return;
  found.indexes.push(found.total);
  found.lengths.push(text.length);
  // If the query is one word, every hit contains all of it.
  found.isExact.push(whole === undefined || countPattern(folded, whole) > 0);
}

function doubled(counts: Uint8Array): Uint8Array {
  const larger = new Uint8Array(counts.length * 2);
  larger.set(counts);
  return larger;
}

function rarity(total: number, found: number): number {
  return Math.log(1 + (total - found + 0.5) / (found + 0.5));
}

function raritiesOf(query: ParsedQuery, { indexes, counts, total }: Tally): number[] {
  const width = query.terms.length;
  const found = Array.from({ length: width }, () => 0);
  for (let place = 0; place < indexes.length * width; place++) {
    if (counts[place] !== 0) found[place % width] = (found[place % width] ?? 0) + 1;
  }
  return found.map((texts) => rarity(total, texts));
}

function scoreHits(query: ParsedQuery, found: Tally): RankedText[] {
  const rarities = raritiesOf(query, found);
  const exact = found.isExact.filter(Boolean).length;
  // As much as all terms together could give, so that the exact query beats frequent parts of it.
  const bonus = query.whole === undefined ? 0 : (K1 + 1) * rarities.length * rarity(found.total, exact);
  const averageLength = Math.max(1, found.totalLength / Math.max(1, found.total));
  return found.indexes.map((index, row) => {
    const damping = K1 * (1 - B + (B * (found.lengths[row] ?? 0)) / averageLength);
    const isExact = found.isExact[row] === true;
    let score = isExact ? bonus : 0;
    let hasAll = true;
    for (let term = 0; term < rarities.length; term++) {
      const count = found.counts[row * rarities.length + term] ?? 0;
      if (count > 0) score += ((rarities[term] ?? 0) * count * (K1 + 1)) / (count + damping);
      else hasAll = false;
    }
    return { index, score, isExact, hasAll: hasAll || isExact };
  });
}

/** The pieces to search for, one after the other, with only gaps between them. */
interface TextPattern {
  readonly pieces: readonly string[];
}

/** Beyond this many, further occurrences no longer change a score. */
const MAX_COUNTED = 32;

/** How often a pattern occurs in a text as whole words, counted up to 32. */
function countPattern(text: FoldedText, { pieces }: TextPattern): number {
  const [first, ...rest] = pieces;
  if (first === undefined || first === "") return 0;
  let count = 0;
  let at = text.folded.indexOf(first);
  while (at >= 0 && count < MAX_COUNTED) {
    const end = isBoundary(text, at) ? endOfMatch(text, at + first.length, rest) : -1;
    if (end >= 0) count++;
    at = text.folded.indexOf(first, end > at ? end : at + 1);
  }
  return count;
}

/** The end of the match whose first piece ends at an offset; -1 if there is no match. */
function endOfMatch(text: FoldedText, offset: number, rest: readonly string[]): number {
  if (!isBoundary(text, offset)) return -1;
  let end = offset;
  for (const piece of rest) {
    const start = skipGap(text.folded, end);
    if (!text.folded.startsWith(piece, start) || !isBoundary(text, start)) return -1;
    end = start + piece.length;
    if (!isBoundary(text, end)) return -1;
  }
  return end;
}

function skipGap(folded: string, from: number): number {
  let offset = from;
  while (offset < folded.length) {
    const character = characterAt(folded, offset);
    if (isWordCharacter(character)) break;
    offset += character.length;
  }
  return offset;
}

/** A query, ready for the search. */
interface ParsedQuery {
  readonly terms: readonly TextPattern[];
  /** Phrases in double quotes: a text without one of them does not match. */
  readonly required: readonly TextPattern[];
  /** The whole query as one phrase: a text that contains exactly this ranks before any other. */
  readonly whole: TextPattern | undefined;
}

// Each term is one search of every text, and queries come from untrusted callers.
const MAX_TERMS = 64;
const PHRASE = /"([^"]+)"/g;
const PAIR_SIGNS = /[=:;,|<>(){}[\]"'`]+/;
const EDGES = /^[.,;:!?(){}[\]<>"'`]+|[.,;:!?(){}[\]<>"'`]+$/g;

/** Splits a query: words, identifiers whole and in parts, quoted phrases. */
function parseQuery(query: string): ParsedQuery {
  const { folded } = foldText(query);
  const required = Array.from(folded.matchAll(PHRASE), (match) => phraseOf(match[1] ?? ""));
  const texts = new Set<string>([...splitWords(query), ...identifiersIn(folded)]);
  const terms = Array.from(texts, (text) => ({ pieces: [text] })).slice(0, MAX_TERMS);
  const runs = wordRuns(folded);
  const whole = runs.length > 1 && runs.length <= MAX_TERMS ? { pieces: runs } : undefined;
  return { terms, required: required.filter(isSearchable), whole };
}

function isSearchable(pattern: TextPattern): boolean {
  return pattern.pieces.some((piece) => piece !== "");
}

function phraseOf(phrase: string): TextPattern {
  const runs = wordRuns(phrase);
  return { pieces: runs.length > 0 ? runs.slice(0, MAX_TERMS) : [phrase.trim()] };
}

/** Words between spaces that are more than a word: `rust-lang/rust#1234`, an address, a UUID, `c++`. */
function identifiersIn(folded: string): string[] {
  const found: string[] = [];
  for (const chunk of folded.split(/\s+/)) {
    for (const part of [chunk, ...chunk.split(PAIR_SIGNS)]) {
      const identifier = part.replaceAll(EDGES, "");
      if (identifier === "" || wordRuns(identifier)[0] === identifier) continue;
      found.push(identifier);
    }
  }
  return found;
}

/** A text made comparable, and the same text with its case if both have the same offsets. */
interface FoldedText {
  readonly folded: string;
  /** Undefined if folding moved offsets: camelCase humps are then not recognised. */
  readonly cased: string | undefined;
}

const NON_ASCII = /[^\0-\u007f]/;

/** Compatibility forms, composed and decomposed letters, and upper and lower case compare as equal. */
export function foldText(text: string): FoldedText {
  if (!NON_ASCII.test(text)) return { folded: text.toLowerCase(), cased: text };
  const cased = text.normalize("NFKC");
  // Whether a sigma is final depends on what follows it, which is lost once a word is taken out of its text.
  const folded = cased.toLowerCase().replaceAll("ς", "σ");
  return { folded, cased: folded.length === cased.length ? cased : undefined };
}

// Marks belong to words: without them the vowel signs of Hindi or Tamil would break every word.
const WORD = /^[\p{L}\p{N}\p{M}]/u;
// Written without spaces, or (Hangul) with particles joined to the word: words are searched for as pairs of characters.
const UNSPACED =
  /^(?:\p{scx=Han}|\p{scx=Hiragana}|\p{scx=Katakana}|\p{scx=Hangul}|\p{scx=Thai}|\p{scx=Lao}|\p{scx=Khmer}|\p{scx=Myanmar})/u;
const UPPER = /^\p{Lu}/u;

/** Whether a character (one code point) is part of a word. */
function isWordCharacter(character: string): boolean {
  const unit = character.charCodeAt(0);
  if (unit < 0x80) return isAsciiWord(unit);
  return WORD.test(character);
}

/** Whether spaces do not separate words in this character's script. */
export function isUnspaced(character: string): boolean {
  return character.charCodeAt(0) >= 0x0e00 && WORD.test(character) && UNSPACED.test(character);
}

/** The code point that starts at an offset; empty at the end. */
function characterAt(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function characterBefore(text: string, offset: number): string {
  const unit = text.charCodeAt(offset - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  const pair = isLow && offset > 1 ? characterAt(text, offset - 2) : "";
  return pair.length === 2 ? pair : text.charAt(offset - 1);
}

function isAsciiWord(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90);
}

function isHump(cased: string, offset: number): boolean {
  const after = characterAt(cased, offset);
  if (!UPPER.test(after)) return false;
  if (!UPPER.test(characterBefore(cased, offset))) return true;
  // The last capital of HTTPServer begins a word; those before it do not.
  const next = characterAt(cased, offset + after.length);
  return next !== "" && next !== next.toUpperCase();
}

function isAsciiUpper(unit: number): boolean {
  return unit >= 65 && unit <= 90;
}

/** Whether a word may begin or end at an offset: at a gap, at a camelCase hump, anywhere in unspaced scripts. */
function isBoundary(text: FoldedText, offset: number): boolean {
  const { folded, cased } = text;
  if (offset <= 0 || offset >= folded.length) return true;
  const before = folded.charCodeAt(offset - 1);
  const after = folded.charCodeAt(offset);
  // Almost every call is about ASCII, and there is one for each place where a term is found.
  if (before >= 0x80 || after >= 0x80) return isWideBoundary(text, offset);
  if (!isAsciiWord(before) || !isAsciiWord(after)) return true;
  return cased !== undefined && isAsciiUpper(cased.charCodeAt(offset)) && isHump(cased, offset);
}

function isWideBoundary({ folded, cased }: FoldedText, offset: number): boolean {
  const before = characterBefore(folded, offset);
  const after = characterAt(folded, offset);
  if (!isWordCharacter(before) || !isWordCharacter(after)) return true;
  if (isUnspaced(before) || isUnspaced(after)) return true;
  return cased !== undefined && isHump(cased, offset);
}

/** A run of letters, digits and marks: a word, in scripts with spaces between words. */
export const WORD_RUN = /[\p{L}\p{N}\p{M}]+/gu;

/** The runs of letters, digits and marks of a folded text, unchanged. */
export function wordRuns(folded: string): string[] {
  return folded.match(WORD_RUN) ?? [];
}

/**
 * The words of a text in any script, folded: a camelCase or mixed name gives its whole and its parts, scripts without
 * spaces give overlapping pairs of characters.
 */
export function splitWords(text: string): string[] {
  const folded = foldText(text);
  const words: string[] = [];
  for (const match of folded.folded.matchAll(WORD_RUN)) pushRun(folded, match.index, match[0], words);
  return words;
}

function pushRun(text: FoldedText, start: number, run: string, words: string[]): void {
  const parts = partsOf(text, start, start + run.length);
  if (parts.length > 1 && !parts.some((part) => isUnspaced(part))) words.push(run);
  for (const part of parts) {
    if (isUnspaced(part)) pushPairs(part, words);
    else words.push(part);
  }
}

/** A run split at humps and where unspaced script begins or ends; an unspaced part stays whole. */
function partsOf(text: FoldedText, start: number, end: number): string[] {
  const parts: string[] = [];
  let from = start;
  let wasUnspaced = isUnspaced(characterAt(text.folded, start));
  for (let offset = start; offset < end;) {
    const character = characterAt(text.folded, offset);
    const isNowUnspaced = isUnspaced(character);
    const isCut = isNowUnspaced !== wasUnspaced || (!isNowUnspaced && isBoundary(text, offset));
    if (offset > from && isCut) {
      parts.push(text.folded.slice(from, offset));
      from = offset;
    }
    wasUnspaced = isNowUnspaced;
    offset += character.length;
  }
  parts.push(text.folded.slice(from, end));
  return parts;
}

function pushPairs(part: string, words: string[]): void {
  const characters = Array.from(part);
  if (characters.length === 1) words.push(part);
  for (let index = 0; index + 1 < characters.length; index++) {
    words.push(`${characters[index] ?? ""}${characters[index + 1] ?? ""}`);
  }
}
