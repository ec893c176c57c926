import { type FoldedText, foldText } from "./fold-text.ts";
import { characterAt, isBoundary, isUnspaced } from "./word-boundary.ts";

const RUN = /[\p{L}\p{N}\p{M}]+/gu;

/** The runs of letters, digits and marks of a folded text, as they stand. */
export function wordRuns(folded: string): string[] {
  return folded.match(RUN) ?? [];
}

/**
 * The words of a text in any script, folded: a camelCase or mixed name gives its whole and its parts, scripts
 * without spaces give overlapping pairs of characters.
 */
export function splitWords(text: string): string[] {
  const folded = foldText(text);
  const words: string[] = [];
  for (const match of folded.folded.matchAll(RUN)) pushRun(folded, match.index, match[0], words);
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

/** A run cut at humps and where unspaced script begins or ends; an unspaced stretch stays whole. */
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
