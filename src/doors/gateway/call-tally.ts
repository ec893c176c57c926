// What passed through a gateway, in counts: calls, cuts, repairs, and the tokens before and after.

import {
  type AnsweredCall,
  type Readable,
  isCut,
  isRepaired,
  readableTexts,
  resultOfServer,
} from "../../engine/call/answered-call.ts";
import type { CalledTool } from "../../engine/call/called-tool.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { TokenCounter } from "../../core/tokens/token-counter.ts";
import type { GatewaySummary } from "./gateway-options.ts";

function addTo(gauge: TokenGauge, result: JsonObject): void {
  for (const text of readableTexts(result)) gauge.add(text);
}

function sum(...parts: readonly Gauged[]): Gauged {
  return {
    tokens: parts.reduce((total, { tokens }) => total + tokens, 0),
    isEstimated: parts.some(({ isEstimated }) => isEstimated),
  };
}

/** Counts traffic; for a result it only adds up a few lengths. */
export class CallTally {
  readonly #untouched = new TokenGauge();
  readonly #before = new TokenGauge();
  readonly #after = new TokenGauge();
  #calls = 0;
  #cuts = 0;
  #retrievals = 0;
  #errorsRepaired = 0;

  note({ answersRetrieval }: CalledTool, answered: AnsweredCall): void {
    const { result, arrival, outcome, dialect } = answered;
    // A request for input, or a task: its answer comes later.
    if (dialect === undefined) return;
    this.#calls += 1;
    if (isCut(answered)) this.#cuts += 1;
    if (isRepaired(answered)) this.#errorsRepaired += 1;
    if (answered.isUntouched) return addTo(this.#untouched, result);
    const arrived = resultOfServer(arrival);
    if (arrived !== undefined) addTo(this.#before, arrived);
    else if (answersRetrieval === true && outcome?.ok === true) this.#retrievals += 1;
    addTo(this.#after, result);
  }

  summary(counter: TokenCounter): GatewaySummary {
    const untouched = this.#untouched.total(counter);
    const before = sum(untouched, this.#before.total(counter));
    const after = sum(untouched, this.#after.total(counter));
    return {
      calls: this.#calls,
      tokensIn: before.tokens,
      tokensOut: after.tokens,
      isEstimated: before.isEstimated || after.isEstimated,
      cuts: this.#cuts,
      retrievals: this.#retrievals,
      errorsRepaired: this.#errorsRepaired,
    };
  }
}

/** How many texts are kept for counting. Together they take at most 512 KiB of memory. */
const MAX_SAMPLES = 128;
const MAX_SAMPLE_CHARS = 2_048;

interface Sample {
  readonly head: string;
  /** The length of the whole text. */
  readonly chars: number;
  /** The tokens of the head, counted once: frequent reads of `/metrics` must not repeat the counting. */
  tokens: number | undefined;
}

interface Gauged {
  readonly tokens: number;
  /** Some texts were not counted to their end. */
  readonly isEstimated: boolean;
}

/** A copy: a slice would keep the whole text in memory. */
function headOf(text: Readable): string {
  if (typeof text === "string" && text.length <= MAX_SAMPLE_CHARS) return text;
  return Buffer.from(text.slice(0, MAX_SAMPLE_CHARS), "utf16le").toString("utf16le");
}

/**
 * Estimates how many tokens a stream of texts has, at low cost: the beginnings of some texts, chosen at random, are
 * kept and counted on demand. A few short texts are counted exactly.
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
    // Every text has the same chance to be kept, whenever it arrived.
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
