import { isDeepStrictEqual } from "node:util";

/** Prints what happened beside what should have, and remembers whether they ever differed. */
export class Claims {
  #failed = 0;

  chapter(title: string): void {
    process.stdout.write(`\n${title}\n`);
  }

  /** The last line, and the exit code: 1 if anything differed. */
  close(): void {
    const verdict = this.#failed === 0 ? "Everything is as it should be." : `${this.#failed} claims failed.`;
    process.stdout.write(`\n${verdict}\n`);
    process.exitCode = this.#failed === 0 ? 0 : 1;
  }

  equal(says: string, actual: unknown, expected: unknown): void {
    const json = JSON.stringify(actual);
    if (isDeepStrictEqual(actual, expected)) {
      const shown = json.length > 400 ? `${json.slice(0, 60)}… (${json.length} characters)` : json;
      process.stdout.write(`  ok  ${says}: ${shown}\n`);
      return;
    }
    this.#failed++;
    process.stdout.write(`  NO  ${says}: ${json}, expected ${JSON.stringify(expected)}\n`);
  }
}
