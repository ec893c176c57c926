import type { Readable } from "../../engine/call/stand-in.ts";
import type { TokenCounter } from "../../core/tokens/token-counter.ts";

/** Texts that are kept to be counted. Together they are at most 512 KiB of memory. */
const MAX_SAMPLES = 128;
const MAX_SAMPLE_CHARS = 2_048;

interface Sample {
  readonly head: string;
  /** The length of the text that it stands for. */
  readonly chars: number;
  /** Of the head, once it was counted: whoever reads `/metrics` again and again must not make us count again and again. */
  tokens: number | undefined;
}

export interface Gauged {
  readonly tokens: number;
  /** Not every text was counted to its end. */
  readonly isEstimated: boolean;
}

/** A copy: a slice would keep the whole text in memory. */
function headOf(text: Readable): string {
  if (typeof text === "string" && text.length <= MAX_SAMPLE_CHARS) return text;
  return Buffer.from(text.slice(0, MAX_SAMPLE_CHARS), "utf16le").toString("utf16le");
}

/**
 * Tells how many tokens a stream of texts has, for the price of a few: the beginnings of some texts, chosen by chance,
 * are kept and counted when somebody asks. A few short texts are counted exactly.
 */
export class TokenGauge {
  readonly #samples: Sample[] = [];
  readonly #random: () => number;
  #texts = 0;
  #chars = 0;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  add(text: Readable): void {
    const chars = text.length;
    if (chars === 0) return;
    this.#texts += 1;
    this.#chars += chars;
    // Every text has the same chance to be kept, whenever it came.
    const place =
      this.#texts <= MAX_SAMPLES ? this.#samples.length : Math.floor(this.#random() * this.#texts);
    if (place < MAX_SAMPLES) this.#samples[place] = { head: headOf(text), chars, tokens: undefined };
  }

  total(counter: TokenCounter): Gauged {
    let counted = 0;
    let sampled = 0;
    let isWhole = this.#texts <= MAX_SAMPLES;
    for (const sample of this.#samples) {
      const { head, chars } = sample;
      sample.tokens ??= counter.count(head);
      isWhole &&= head.length === chars;
      counted += (sample.tokens * chars) / head.length;
      sampled += chars;
    }
    if (sampled === 0) return { tokens: 0, isEstimated: false };
    return { tokens: Math.round((counted * this.#chars) / sampled), isEstimated: !isWhole };
  }
}
