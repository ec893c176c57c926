import { SYLLABLES, WordReader } from "./word-reader.ts";
import { type QueryTerm, FULL, MAX_TERMS, QueryLexicon } from "./query-lexicon.ts";
import type { Units } from "./units.ts";

/** The terms of each unit, in columns: one row for each unit, one hit for each term in it. */
export class HitTable {
  /** Where the hits of each unit begin; one entry more than there are units. */
  #rows: Uint32Array;
  #terms: Uint8Array;
  #strengths: Uint8Array;
  #sums: Uint8Array;
  #rowCount = 0;
  #count = 0;

  constructor(expected = 64) {
    this.#rows = new Uint32Array(expected);
    this.#terms = new Uint8Array(expected);
    this.#strengths = new Uint8Array(expected);
    this.#sums = new Uint8Array(expected);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a hit to the open row. `sum` counts repeats, in tenths. */
  push(term: number, strength: number, sum: number): void {
    if (this.#count === this.#terms.length) {
      const size = grown(this.#count);
      this.#terms = widened(this.#terms, new Uint8Array(size));
      this.#strengths = widened(this.#strengths, new Uint8Array(size));
      this.#sums = widened(this.#sums, new Uint8Array(size));
    }
    this.#terms[this.#count] = term;
    this.#strengths[this.#count] = strength;
    this.#sums[this.#count++] = Math.min(255, sum);
  }

  closeRow(): void {
    if (this.#rowCount + 1 >= this.#rows.length) {
      this.#rows = widened(this.#rows, new Uint32Array(grown(this.#rows.length)));
    }
    this.#rows[++this.#rowCount] = this.#count;
  }

  from(row: number): number {
    return this.#rows[row] ?? 0;
  }

  to(row: number): number {
    return this.#rows[row + 1] ?? 0;
  }

  term(hit: number): number {
    return this.#terms[hit] ?? 0;
  }

  strength(hit: number): number {
    return this.#strengths[hit] ?? 0;
  }

  sum(hit: number): number {
    return this.#sums[hit] ?? 0;
  }
}

function grown(size: number): number {
  return Math.ceil(size * 1.5) + 64;
}

function widened<Column extends Uint8Array | Uint32Array>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}

/** Rarity is counted over paragraphs, and over ranges of about this length in longer paragraphs. */
const BLOCK_CHARS = 1_000;
/** Two words of the query are near each other if at most this many words are between them. */
const NEAR_WORDS = 3;
/** Sums are kept in tenths of an exact match. */
const TENTH = FULL / 10;

/**
 * Finds the terms of a query in each unit. A hit can also be a pair: two words that follow each other in the
 * query and are near each other in the unit; its number is MAX_TERMS plus the position of the first word.
 */
export class HitFinder {
  readonly hits: HitTable;
  /** The number of blocks with each term; a less certain form counts less. */
  readonly blocksWith: Float64Array;
  /** The best match of each term in the whole text. */
  readonly best: Uint8Array;
  blockCount = 0;
  readonly #lexicon: QueryLexicon;
  readonly #reader: WordReader;
  readonly #blockBest: Uint8Array;
  readonly #best = new Uint8Array(2 * MAX_TERMS);
  readonly #sums = new Uint32Array(2 * MAX_TERMS);
  readonly #touched = new Uint8Array(2 * MAX_TERMS);
  #touchedCount = 0;
  readonly #lastWord = new Int32Array(MAX_TERMS + 1);
  readonly #lastStrength = new Uint8Array(MAX_TERMS + 1);
  #blockStart = 0;

  constructor(terms: readonly QueryTerm[], expectedUnits: number) {
    this.#lexicon = new QueryLexicon(terms);
    this.#reader = new WordReader(terms.some(({ script }) => script === SYLLABLES));
    this.hits = new HitTable(expectedUnits);
    this.blocksWith = new Float64Array(terms.length);
    this.best = new Uint8Array(terms.length);
    this.#blockBest = new Uint8Array(terms.length);
  }

  /** Reads one unit; units come in order. */
  read(text: string, units: Units, unit: number): void {
    const start = units.start(unit);
    if (unit === 0 || units.opensParagraph(unit) || start - this.#blockStart > BLOCK_CHARS) {
      this.closeBlock();
      this.blockCount++;
      this.#blockStart = start;
    }
    this.#lastWord.fill(-NEAR_WORDS - 1);
    this.#reader.open(text, start, units.end(unit));
    const { found, strengths } = this.#lexicon;
    for (let word = 0; this.#reader.next(); word++) {
      this.#lexicon.look(this.#reader);
      for (let index = 0; index < this.#lexicon.foundCount; index++) {
        this.#meet(found[index] ?? 0, strengths[index] ?? 0, word);
      }
    }
    this.#flush();
  }

  /** Counts the terms of the last block; call it once more after the last unit. */
  closeBlock(): void {
    for (let term = 0; term < this.#blockBest.length; term++) {
      const strength = this.#blockBest[term] ?? 0;
      this.blocksWith[term] = (this.blocksWith[term] ?? 0) + strength / FULL;
      if (strength > (this.best[term] ?? 0)) this.best[term] = strength;
    }
    this.#blockBest.fill(0);
  }

  #meet(term: number, strength: number, word: number): void {
    this.#note(term, strength);
    if (strength > (this.#blockBest[term] ?? 0)) this.#blockBest[term] = strength;
    const { place = MAX_TERMS, isPart = true } = this.#lexicon.terms[term] ?? {};
    if (place >= MAX_TERMS || isPart) return;
    this.#pair(place - 1, place - 1, strength, word);
    this.#pair(place + 1, place, strength, word);
    this.#lastWord[place] = word;
    this.#lastStrength[place] = strength;
  }

  #pair(neighbour: number, first: number, strength: number, word: number): void {
    if (first < 0) return;
    const distance = word - (this.#lastWord[neighbour] ?? -NEAR_WORDS - 1);
    if (distance < 1 || distance > NEAR_WORDS) return;
    this.#note(MAX_TERMS + first, Math.min(strength, this.#lastStrength[neighbour] ?? 0));
  }

  #note(hit: number, strength: number): void {
    const best = this.#best[hit] ?? 0;
    if (best === 0) this.#touched[this.#touchedCount++] = hit;
    if (strength > best) this.#best[hit] = strength;
    this.#sums[hit] = (this.#sums[hit] ?? 0) + strength;
  }

  #flush(): void {
    for (let index = 0; index < this.#touchedCount; index++) {
      const hit = this.#touched[index] ?? 0;
      this.hits.push(hit, this.#best[hit] ?? 0, Math.round((this.#sums[hit] ?? 0) / TENTH));
      this.#best[hit] = 0;
      this.#sums[hit] = 0;
    }
    this.#touchedCount = 0;
    this.hits.closeRow();
  }
}
