import type { ScoredSpan } from "../document.ts";

/**
 * Keeps the best of many ranges of a text, best first, equal scores in document order. Identical passages are
 * kept once, so that a passage repeated on every page cannot displace the others.
 */
export class BestList<Item extends ScoredSpan> {
  readonly #text: string;
  readonly #limit: number;
  #items: Item[] = [];
  #floor = 0;

  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
  }

  /** Whether an item with this score could still be kept. */
  admits(score: number): boolean {
    return score > this.#floor;
  }

  add(item: Item): void {
    this.#items.push(item);
    // Sorted only now and then: most items of a long text are never added.
    if (this.#items.length >= 2 * this.#limit) this.#prune();
  }

  items(): readonly Item[] {
    this.#prune();
    return this.#items;
  }

  #prune(): void {
    const said = new Set<string>();
    const kept: Item[] = [];
    for (const item of this.#items.sort((a, b) => b.score - a.score || a.start - b.start)) {
      const words = this.#text.slice(item.start, item.end);
      if (said.has(words)) continue;
      said.add(words);
      if (kept.push(item) === this.#limit) break;
    }
    if (kept.length === this.#limit) this.#floor = kept.at(-1)?.score ?? 0;
    this.#items = kept;
  }
}
