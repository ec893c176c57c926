import type { Readable } from "../../../../engine/call/stand-in.ts";
import type { TokenCounter } from "../../../../core/tokens/token-counter.ts";

/** Characters counted per second, on average and at most at once: counting must stay a small part of a call. */
const CHARS_A_SECOND = 4_096;
const MAX_CHARS = 262_144;
/** How much is counted of a longer text. */
const SAMPLE_CHARS = 2_048;
/** Texts up to this length are counted whole if there is time. */
const MAX_WHOLE = 32_768;
/** For English and JSON; used until the first text is counted. */
const USUAL_RATIO = 0.25;
/** Beyond this many characters, earlier texts count less than later ones. */
const MEMORY_CHARS = 65_536;

/** Tokens per character of one kind of text, learned from counted texts. */
export class TokenRatio {
  #chars = 0;
  #tokens = 0;

  get value(): number {
    return this.#chars === 0 ? USUAL_RATIO : this.#tokens / this.#chars;
  }

  learn(chars: number, tokens: number): void {
    if (this.#chars > MEMORY_CHARS) {
      this.#chars /= 2;
      this.#tokens /= 2;
    }
    this.#chars += chars;
    this.#tokens += tokens;
  }
}

export interface Estimate {
  readonly tokens: number;
  readonly isCounted: boolean;
}

const nothing: Estimate = { tokens: 0, isCounted: true };

/**
 * Counts tokens exactly while there are few calls, and estimates them from characters when there are many. The cost of
 * counting is limited per second, so it does not grow with the traffic.
 */
export class TokenEstimate {
  #counter: TokenCounter | undefined;
  #room = MAX_CHARS;
  #filledAt = 0;

  /** Sets the counter. Until then everything is estimated. */
  use(counter: TokenCounter): void {
    this.#counter = counter;
  }

  of(texts: readonly Readable[], ratio: TokenRatio, now: number): Estimate {
    let chars = 0;
    for (const text of texts) chars += text.length;
    if (chars === 0) return nothing;
    const counter = this.#counter;
    if (counter === undefined) return guess(chars, ratio);
    this.#fill(now);
    if (chars <= MAX_WHOLE && chars <= this.#room) {
      this.#room -= chars;
      let tokens = 0;
      for (const text of texts) tokens += counter.count(text.slice(0, text.length));
      ratio.learn(chars, tokens);
      return { tokens, isCounted: true };
    }
    const [head = ""]: readonly Readable[] = texts;
    if (chars > MAX_WHOLE && this.#room >= SAMPLE_CHARS) {
      const sample = head.slice(0, SAMPLE_CHARS);
      this.#room -= SAMPLE_CHARS;
      ratio.learn(sample.length, counter.count(sample));
    }
    return guess(chars, ratio);
  }

  #fill(now: number): void {
    const passed = now - this.#filledAt;
    if (passed <= 0) return;
    this.#filledAt = now;
    this.#room = Math.min(MAX_CHARS, this.#room + (passed * CHARS_A_SECOND) / 1_000);
  }
}

function guess(chars: number, ratio: TokenRatio): Estimate {
  return { tokens: Math.max(1, Math.round(chars * ratio.value)), isCounted: false };
}
