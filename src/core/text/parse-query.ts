import {
  type FoldedText,
  characterAt,
  foldText,
  isBoundary,
  isWordCharacter,
  splitWords,
  wordRuns,
} from "./words.ts";

/** What is looked for: pieces that follow each other, with nothing but gaps between them. */
interface TextPattern {
  readonly pieces: readonly string[];
}

/** Past this many, further occurrences no longer change a score. */
const MAX_COUNTED = 32;

/** How often a pattern stands in a text as whole words, counted up to 32. */
export function countPattern(text: FoldedText, { pieces }: TextPattern): number {
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

/** Where the match ends whose first piece ends at an offset; -1 when there is no match. */
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

/** A query, ready to be looked for. */
export interface ParsedQuery {
  readonly terms: readonly TextPattern[];
  /** Phrases in double quotes: a text without one of them does not match. */
  readonly required: readonly TextPattern[];
  /** The whole query as one phrase: a text that says exactly this is meant before any other. */
  readonly whole: TextPattern | undefined;
}

// Each term is one search of every text, and queries come from strangers.
const MAX_TERMS = 64;
const PHRASE = /"([^"]+)"/g;
const PAIR_SIGNS = /[=:;,|<>(){}[\]"'`]+/;
const EDGES = /^[.,;:!?(){}[\]<>"'`]+|[.,;:!?(){}[\]<>"'`]+$/g;

/** Takes a query apart: words, identifiers whole and in parts, quoted phrases. */
export function parseQuery(query: string): ParsedQuery {
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

/** What stands between spaces and is more than a word: `rust-lang/rust#1234`, an address, a UUID, `c++`. */
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
