import type { ServerResponse } from "node:http";

/** Responses that are not complete, by whoever waits for them. */
export class OpenResponses {
  readonly #counts = new Map<string, number>();
  /** What a client keeps open to listen is not among them. */
  readonly #answers = new Set<ServerResponse>();
  #onAnswered: (() => void) | undefined;

  countOf(principal: string): number {
    return this.#counts.get(principal) ?? 0;
  }

  /** `isAnswer`: the client waits for an answer, and does not only listen. */
  add(principal: string, response: ServerResponse, isAnswer: boolean): void {
    this.#counts.set(principal, this.countOf(principal) + 1);
    if (isAnswer) this.#answers.add(response);
    response.once("close", () => {
      const left = this.countOf(principal) - 1;
      if (left > 0) this.#counts.set(principal, left);
      else this.#counts.delete(principal);
      this.#answers.delete(response);
      if (this.#answers.size === 0) this.#onAnswered?.();
    });
  }

  /** Waits until every request is answered, at most this long. */
  async whenAnswered(maxMs: number): Promise<void> {
    if (this.#answers.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      this.#onAnswered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
