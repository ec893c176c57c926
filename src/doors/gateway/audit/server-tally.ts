// What is counted of the calls of one server by one client.

import type { TokenCounter } from "../../../core/tokens/token-counter.ts";

/** One call, judged. */
export interface JudgedCall {
  readonly tool: string;
  /** What the model was given, in the client's frame or by its row. */
  readonly given: readonly string[];
  readonly isCut: boolean;
  readonly isRepeated: boolean;
  readonly isFailure: boolean;
  /** What the gateway would have given; undefined where the whole result is not in the history. */
  readonly behind:
    | {
        readonly given: readonly string[];
        readonly isCut: boolean;
        readonly isUntouched: boolean;
        /** A failure under the name of success, or what reads like one. */
        readonly isNamed: boolean;
        readonly isDoubted: boolean;
      }
    | undefined;
}

/** What one server cost behind one client. */
export interface ServerCost {
  /** Null if the history has the tools' names alone. */
  readonly server: string | null;
  readonly client: string;
  readonly calls: number;
  readonly tokens: number;
  /** Results that the client cut. */
  readonly cut: number;
  /** Results that the same session already had from the same tool. */
  readonly repeated: number;
  readonly repeated_tokens: number;
  readonly failures: number;
  /** Failures that the server had sent as successes. */
  readonly failures_as_successes: number;
  /** Successes that read like failures: the gateway tells the model so, and leaves them successes. */
  readonly possible_failures: number;
  readonly gateway: {
    /** Calls whose whole result is in the history. */
    readonly compared: number;
    readonly tokens_before: number;
    readonly tokens_after: number;
    /** Cut with a proposed call for the rest. */
    readonly cut: number;
    readonly untouched: number;
  };
  /** The tools that gave models the most, the largest first. */
  readonly tools: readonly { readonly tool: string; readonly calls: number; readonly characters: number }[];
  /** A text was too long to be counted to its end. */
  readonly is_estimated: boolean;
}

const MAX_TOOLS = 500;
const NAMED_TOOLS = 5;
const MAX_NAME = 200;

/** Of a longer text only the beginning is counted; the rest is estimated from it. */
const COUNTED_CHARACTERS = 4_000_000;

export class ServerTally {
  readonly #server: string | undefined;
  readonly #client: string;
  readonly #counter: TokenCounter;
  readonly #tokens = { given: 0, repeated: 0, before: 0, after: 0 };
  #isEstimated = false;
  readonly #tools = new Map<string, { calls: number; characters: number }>();
  #calls = 0;
  #cut = 0;
  #repeated = 0;
  #failures = 0;
  #named = 0;
  #doubted = 0;
  #compared = 0;
  #cutBehind = 0;
  #untouched = 0;

  constructor(server: string | undefined, client: string, counter: TokenCounter) {
    this.#server = server;
    this.#client = client;
    this.#counter = counter;
  }

  add({ tool, given, behind, ...is }: JudgedCall): void {
    const tokens = this.#count(given);
    this.#calls += 1;
    this.#tokens.given += tokens;
    this.#noteTool(tool, given);
    if (is.isCut) this.#cut += 1;
    if (is.isFailure) this.#failures += 1;
    if (is.isRepeated) {
      this.#repeated += 1;
      this.#tokens.repeated += tokens;
    }
    if (behind === undefined) return;
    this.#compared += 1;
    this.#tokens.before += tokens;
    this.#tokens.after += behind.given === given ? tokens : this.#count(behind.given);
    if (behind.isCut) this.#cutBehind += 1;
    if (behind.isUntouched) this.#untouched += 1;
    if (behind.isNamed) this.#named += 1;
    if (behind.isDoubted) this.#doubted += 1;
  }

  #count(texts: readonly string[]): number {
    let tokens = 0;
    for (const text of texts) {
      const counted = this.#counter.count(text.slice(0, COUNTED_CHARACTERS));
      const share = Math.max(1, text.length / COUNTED_CHARACTERS);
      if (share > 1) this.#isEstimated = true;
      tokens += Math.round(counted * share);
    }
    return tokens;
  }

  #noteTool(name: string, given: readonly string[]): void {
    const tool = this.#tools.size < MAX_TOOLS || this.#tools.has(name) ? name : "…";
    const noted = this.#tools.get(tool) ?? { calls: 0, characters: 0 };
    noted.calls += 1;
    for (const { length } of given) noted.characters += length;
    this.#tools.set(tool, noted);
  }

  cost(): ServerCost {
    const { given, repeated, before, after } = this.#tokens;
    return {
      server: this.#server?.slice(0, MAX_NAME) ?? null,
      client: this.#client,
      calls: this.#calls,
      tokens: given,
      cut: this.#cut,
      repeated: this.#repeated,
      repeated_tokens: repeated,
      failures: this.#failures,
      failures_as_successes: this.#named,
      possible_failures: this.#doubted,
      gateway: {
        compared: this.#compared,
        tokens_before: before,
        tokens_after: after,
        cut: this.#cutBehind,
        untouched: this.#untouched,
      },
      tools: this.#largestTools(),
      is_estimated: this.#isEstimated,
    };
  }

  #largestTools(): ServerCost["tools"] {
    return [...this.#tools]
      .map(([tool, noted]) => ({ tool: tool.slice(0, MAX_NAME), ...noted }))
      .sort((one, other) => other.characters - one.characters || (one.tool < other.tool ? -1 : 1))
      .slice(0, NAMED_TOOLS);
  }
}
