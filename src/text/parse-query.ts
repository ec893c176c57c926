import { foldText } from "./fold-text.ts";
import { splitWords, wordRuns } from "./split-words.ts";
import type { TextPattern } from "./text-pattern.ts";

/** A query, ready to be looked for. */
export interface ParsedQuery {
  readonly terms: readonly TextPattern[];
  /** Phrases in double quotes: a text without one of them is no hit. */
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
