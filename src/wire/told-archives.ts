import type { Outcome } from "../contract/outcome.ts";

/** More than a conversation has; the oldest are forgotten, and can still be named. */
const MAX_TOLD = 10_000;

/** The archives that one connection was told of: what it may look into without naming one. */
export class ToldArchives {
  readonly hashes = new Set<string>();

  note(outcome: Outcome | undefined): void {
    const archives = outcome?.notes.fidelity?.archives;
    if (archives === undefined) return;
    for (const hash of Object.values(archives)) this.hashes.add(hash.replace(/^sha256:/, ""));
    for (const oldest of this.hashes) {
      if (this.hashes.size <= MAX_TOLD) return;
      this.hashes.delete(oldest);
    }
  }
}
