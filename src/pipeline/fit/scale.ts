import type { Outcome } from "../../contract/outcome.ts";
import { jsonChunks, jsonLengthAtLeast } from "../../json/json-chunks.ts";
import type { FitContext, Parcel, PipelineContext, Rendering } from "../parcel.ts";
import type { Gauge } from "./gauge.ts";
import { chargeOf, joint, steadyNotes } from "./steady-notes.ts";

/** A text this many times longer than the budget is looked at piece by piece, since most of it need not be. */
const QUICK_FACTOR = 8;
const CHUNK_LENGTH = 8_192;

function dataOf(outcome: Outcome) {
  return outcome.ok ? outcome.data : null;
}

/** Whether the parcel's data is short enough to be written out just to see. */
export function isShort({ outcome }: { readonly outcome: Outcome }, budget: number): boolean {
  const longest = budget * QUICK_FACTOR;
  return jsonLengthAtLeast(dataOf(outcome), longest) <= longest;
}

/** Weighs what would be sent, with a constant in place of everything that changes from call to call. */
export class Scale {
  readonly gauge: Gauge;
  readonly #context: PipelineContext;
  readonly #fitting: FitContext;

  constructor(context: PipelineContext, fitting: FitContext, gauge: Gauge) {
    this.#context = context;
    this.#fitting = fitting;
    this.gauge = gauge;
  }

  get budget(): number {
    return this.gauge.budget;
  }

  /** What the parcel weighs; some number above the budget once it is sure to be. `digitBytes` are charged besides. */
  weigh(parcel: Parcel & { readonly outcome: Outcome }, digitBytes = 0): number {
    const { notes } = parcel.outcome;
    const steady = { ...parcel.outcome, notes: steadyNotes(notes, this.#context) };
    const { texts, structure } = this.#fitting.render({ ...parcel, outcome: steady });
    const digits = this.gauge.reserve({ tokens: digitBytes, bytes: digitBytes });
    const charge = this.gauge.reserve(chargeOf(notes, this.#context)) + digits;
    const limit = this.budget - charge;
    const shown = this.weighTexts(texts, limit);
    if (structure === undefined) return shown + charge;
    // Each of the two channels must fit. While the texts do, it is the structure that has room to gain or to lose.
    const structured = this.gauge.weigh(structure, limit);
    return (shown > limit ? Math.max(shown, structured) : structured) + charge;
  }

  weighTexts(texts: readonly string[], limit: number): number {
    let weight = 0;
    for (const text of texts) {
      weight += this.gauge.weigh(text, limit - weight);
      if (weight > limit) return weight;
    }
    return weight;
  }

  /** Whether a rendering fits whatever its changing parts will be; near the edge it takes `weigh` to tell. */
  judge({ texts, outcome }: Rendering): "fits" | "over" | "near" {
    const charge = this.gauge.reserve(chargeOf(outcome.notes, this.#context));
    const edge = this.budget + this.gauge.reserve(joint);
    const weight = this.weighTexts(texts, edge);
    if (weight + charge <= this.budget) return "fits";
    return weight > edge ? "over" : "near";
  }

  /** True when the data alone is over the budget, found without writing all of it. */
  isFarOver(outcome: Outcome): boolean {
    let weight = 0;
    for (const chunk of jsonChunks(dataOf(outcome), CHUNK_LENGTH)) {
      // Two pieces weigh at most one more than their whole.
      weight += this.gauge.weigh(chunk, this.budget - weight) - 1;
      if (weight > this.budget) return true;
    }
    return false;
  }
}
