import type { FuzzCalls } from "./fuzz-calls.ts";
import { type FuzzFinding, fuzzKinds, hintFor } from "./fuzz-report.ts";
import type { Seen } from "./judge-answer.ts";
import { type MadeCall, harmless } from "./made-arguments.ts";
import { shrink } from "./shrink-arguments.ts";

/** More findings say nothing new. */
export const MAX_FINDINGS = 20;

/** What was found so far: one of each cause. */
export class Findings {
  readonly #fuzz: FuzzCalls;
  readonly #seed: number;
  readonly #found = new Map<string, FuzzFinding>();

  constructor(fuzz: FuzzCalls, seed: number) {
    this.#fuzz = fuzz;
    this.#seed = seed;
  }

  get isFull(): boolean {
    return this.#found.size >= MAX_FINDINGS;
  }

  /** Adds what is new in a call, with the smallest arguments that show it. */
  async add(seen: readonly Seen[], made: MadeCall, call: number): Promise<void> {
    for (const each of seen) {
      const name = `${each.kind} ${each.key}`;
      if (this.isFull || this.#found.has(name)) continue;
      if (each.kind === "hang" && !(await this.#hangsAgain(made))) continue;
      const small =
        each.kind === "hang" ? { seen: each, arguments: made.arguments } : await this.#shrink(each, made);
      const { kind, message, error } = small.seen;
      this.#found.set(name, {
        kind,
        message,
        hint: hintFor(kind),
        arguments: small.arguments,
        origin: made.origin,
        call,
        seed: this.#seed,
        ...(error === undefined ? {} : { error }),
      });
    }
  }

  addUnreached(calls: number): void {
    const message = `None of ${calls} calls got as far as its handler`;
    const facts = { arguments: {}, origin: "valid", call: calls, seed: this.#seed } as const;
    this.#found.set("unreached", { kind: "unreached", message, hint: hintFor("unreached"), ...facts });
  }

  sorted(): readonly FuzzFinding[] {
    return [...this.#found.values()].sort((a, b) => fuzzKinds.indexOf(a.kind) - fuzzKinds.indexOf(b.kind));
  }

  /** A busy machine may keep one call waiting, but hardly two. */
  async #hangsAgain(made: MadeCall): Promise<boolean> {
    return (await this.#fuzz.try(made)).some(({ kind }) => kind === "hang");
  }

  #shrink(first: Seen, made: MadeCall): ReturnType<typeof shrink> {
    return shrink(first, made.arguments, {
      isOver: () => this.#fuzz.isOver,
      again: async (smaller) => {
        const args = this.#fuzz.isReadOnly ? smaller : harmless(smaller);
        if (args !== smaller && JSON.stringify(args) !== JSON.stringify(smaller)) return undefined;
        const seen = await this.#fuzz.try({ ...made, arguments: args });
        return seen.find(({ kind, key }) => kind === first.kind && key === first.key);
      },
    });
  }
}
