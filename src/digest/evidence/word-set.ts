import { WordReader } from "./word-reader.ts";

const PRIME = 0x01000193;
const BASIS = 0x811c9dc5;

/** A number for the word a reader has read: equal words, equal numbers. */
export function hashWord({ letters, length }: WordReader): number {
  let hash = BASIS;
  for (let index = 0; index < length; index++) hash = Math.imul(hash ^ (letters[index] ?? 0), PRIME);
  return hash >>> 0;
}

/** The distinct words of a stretch, as numbers. */
export function wordSet(text: string, start: number, end: number): ReadonlySet<number> {
  const words = new Set<number>();
  const reader = new WordReader();
  reader.open(text, start, end);
  while (reader.next()) words.add(hashWord(reader));
  return words;
}

/** How much two sets have in common: 0 to 1. */
export function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  return common / (a.size + b.size - common);
}
