import type { AnsweredCall } from "../call/run-call.ts";

/** More than a conversation has; the oldest are dropped, and can still be read by their hash. */
const MAX_TOLD = 10_000;

function hashesIn(archives: Readonly<Record<string, string>> | undefined): readonly string[] {
  return Object.values(archives ?? {}).map((hash) => hash.replace(/^sha256:/, ""));
}

function addTo(hashes: Set<string>, added: readonly string[]): void {
  for (const hash of added) hashes.add(hash);
  for (const oldest of hashes) {
    if (hashes.size <= MAX_TOLD) return;
    hashes.delete(oldest);
  }
}

/**
 * The archives that one connection was told of, by us or by the upstream server. The connection may read ours
 * without naming one. Archives that only the server announced must come from the server: they must not open
 * content that is kept here.
 */
export class AnnouncedArchives {
  readonly hashes = new Set<string>();
  readonly #theirs = new Set<string>();

  note({ outcome, source }: Pick<AnsweredCall, "outcome" | "source">): void {
    const theirs = hashesIn(source?.notes.fidelity?.archives);
    const all = hashesIn(outcome?.notes.fidelity?.archives);
    addTo(
      this.hashes,
      all.filter((hash) => !theirs.includes(hash)),
    );
    addTo(this.#theirs, theirs);
  }

  /** Whether only the server announced what this hash, or the beginning of one, names. */
  isTheirs(hash: string): boolean {
    const isNamed = (known: string): boolean => known.startsWith(hash);
    return [...this.#theirs].some(isNamed) && ![...this.hashes].some(isNamed);
  }
}
