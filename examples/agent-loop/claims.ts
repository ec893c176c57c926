import { isDeepStrictEqual } from "node:util";

/** Prints what happened beside what should have, and remembers whether they ever differed. */
export class Claims {
  #failed = 0;

  get failed(): number {
    return this.#failed;
  }

  chapter(title: string): void {
    process.stdout.write(`\n${title}\n`);
  }

  equal(says: string, actual: unknown, expected: unknown): void {
    if (isDeepStrictEqual(actual, expected)) {
      process.stdout.write(`  ok  ${says}: ${JSON.stringify(actual)}\n`);
      return;
    }
    this.#failed++;
    process.stdout.write(`  NO  ${says}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}\n`);
  }
}
