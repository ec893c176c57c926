/** A page that never hears of its calls must not fill the memory. */
const MAX_EXPECTED = 1_000;

/** The calls that the page itself makes, known by request ids that only it has. */
export class OwnCalls {
  readonly #seqs = new Map<string, number | undefined>();

  has(requestId: string): boolean {
    return this.#seqs.size > 0 && this.#seqs.has(requestId);
  }

  expect(requestId: string): { readonly seq: () => number | undefined } {
    this.#seqs.set(requestId, undefined);
    const [oldest = ""] = this.#seqs.keys();
    if (this.#seqs.size > MAX_EXPECTED) this.#seqs.delete(oldest);
    return { seq: () => this.#seqs.get(requestId) };
  }

  note(requestId: string, seq: number): void {
    this.#seqs.set(requestId, seq);
  }
}
