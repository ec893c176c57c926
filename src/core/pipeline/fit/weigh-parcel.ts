import { countLineEnds } from "../../text/code-points.ts";
import type { Notes, Outcome } from "../../contract/outcome.ts";
import { jsonChunks, jsonLengthAtLeast, keysOf } from "../../json/json-chunks.ts";
import type { Parcel, ReaderShare, Rendering } from "../parcel.ts";
import type { FitContext, PipelineContext } from "../pipeline-context.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import type { TokenCounter } from "../../tokens/token-counter.ts";
import type { CutPlace } from "./cut-place.ts";

/** The most that something may cost, in each of the two measures. */
export interface Charge {
  readonly tokens: number;
  readonly bytes: number;
}

// With key, quotes and comma. An id of ours is `req_` and 12 hex digits; other ids count by their length.
const ownId: Charge = { tokens: 20, bytes: 40 };
const rateLimitCharge: Charge = { tokens: 64, bytes: 176 };
const figure: Charge = { tokens: 10, bytes: 24 };
/** Joining texts can slightly change how they are split into tokens. */
const joint: Charge = { tokens: 8, bytes: 8 };
const nothing: Charge = { tokens: 0, bytes: 0 };

type Figure = readonly [name: string, value: unknown];
const noFigures: readonly Figure[] = [];
const noNames: readonly string[] = [];

function add(...charges: readonly Charge[]): Charge {
  let tokens = 0;
  let bytes = 0;
  for (const charge of charges) {
    tokens += charge.tokens;
    bytes += charge.bytes;
  }
  return { tokens, bytes };
}

/** Notes without values that change from call to call: those must never move a cut, or equal results would differ. */
function steadyNotes(notes: Notes, { requestIdFrom }: PipelineContext): Notes {
  const { requestId, telemetry: _telemetry, rateLimit: _rateLimit, ...steady } = notes;
  return requestIdFrom === "client" && requestId !== undefined ? { ...steady, requestId } : steady;
}

/** The most that those values may cost, whether they are shown this time or not. */
export function chargeOf(notes: Notes, { profile, requestIdFrom }: PipelineContext): Charge {
  const { show } = profile;
  const { requestId = "", rateLimit, telemetry = {}, authored } = notes;
  const own = authored?.telemetry ?? noNames;
  const isAlways = show.telemetry === "always";
  const figures = isAlways || own.length > 0 ? Object.entries(telemetry) : noFigures;
  return add(
    joint,
    show.requestId === "never" || requestIdFrom === "client" ? nothing : chargeId(requestId),
    rateLimit === undefined || (show.rateLimit === "never" && authored?.rateLimit !== true)
      ? nothing
      : rateLimitCharge,
    chargeFigures(isAlways ? figures : figures.filter(([name]) => own.includes(name))),
  );
}

function chargeId({ length }: string): Charge {
  return length <= 16 ? ownId : { tokens: length + 8, bytes: length + 24 };
}

function chargeFigures(figures: readonly Figure[]): Charge {
  if (figures.length === 0) return nothing;
  const charges = figures.map(([key, value]) => {
    const bytes = key.length * 3 + 4;
    if (typeof value === "number") return add(figure, { tokens: key.length + 4, bytes });
    const text = JSON.stringify(value).length * 3;
    return { tokens: bytes + text, bytes: bytes + text };
  });
  return add(figure, ...charges);
}

/** A text this many times longer than the budget is read piece by piece, because most of it is not needed. */
const QUICK_FACTOR = 8;
const CHUNK_LENGTH = 8_192;

function dataOf(outcome: Outcome) {
  return outcome.ok ? outcome.data : null;
}

/** Whether the parcel's data is short enough to be written out only for weighing. */
export function isShort({ outcome }: { readonly outcome: Outcome }, budget: number): boolean {
  const longest = budget * QUICK_FACTOR;
  return jsonLengthAtLeast(dataOf(outcome), longest) <= longest;
}

/** Most results have the same text in both channels; then counting one of them is enough. */
function isSame(texts: readonly string[], structure: string): boolean {
  return texts.length === 1 && texts[0] === structure;
}

/** A cut whose data is shown twice is this many times over the budget at most; it is counted, to see by how much. */
const COUNTED_FACTOR = 4;

type WeighedWith = Pick<FitContext, "render" | "showTo" | "bytes">;

/** Weighs what would be sent, with a constant in place of everything that changes from call to call. */
export class ParcelWeigher {
  readonly gauge: TextWeigher;
  readonly #context: PipelineContext;
  readonly #fitting: WeighedWith;

  constructor(context: PipelineContext, fitting: WeighedWith, gauge: TextWeigher) {
    this.#context = context;
    this.#fitting = fitting;
    this.gauge = gauge;
  }

  get budget(): number {
    return this.gauge.budget;
  }

  /** The parcel's weight; any number above the budget once that is certain. `digitBytes` are charged in addition. */
  weigh(parcel: Parcel & { readonly outcome: Outcome }, digitBytes = 0): number {
    const { notes } = parcel.outcome;
    const steady = { ...parcel.outcome, notes: steadyNotes(notes, this.#context) };
    const digits = this.gauge.reserve({ tokens: digitBytes, bytes: digitBytes });
    const charge = this.gauge.reserve(chargeOf(notes, this.#context)) + digits;
    const pictures = this.gauge.reserve({ tokens: this.#pictureTokens(parcel), bytes: 0 });
    const shownTo = this.#fitting.showTo?.({ ...parcel, outcome: steady });
    if (shownTo !== undefined) return this.#weighShown(shownTo, charge * shownTo.times) + pictures;
    const { texts, structure } = this.#fitting.render({ ...parcel, outcome: steady });
    const limit = this.budget - charge;
    const shown = this.weighTexts(texts, limit);
    if (structure === undefined) return shown + charge;
    // Each of the two channels must fit. As long as the texts do, the weight is that of the structure.
    const structured = isSame(texts, structure) ? shown : this.gauge.weigh(structure, limit);
    return (shown > limit ? Math.max(shown, structured) : structured) + charge;
  }

  /** Every way in which the client may show the result must fit, and its own limits are as strict as the budget. */
  #weighShown({ views, share }: ReaderShare, charge: number): number {
    const [first = [], ...others] = views;
    // Most results have the same text in both channels.
    const different = others.filter(([text = "", ...more]) => more.length > 0 || !isSame(first, text));
    const weights = [first, ...different].map((view) => this.weighTexts(view, this.budget * COUNTED_FACTOR));
    return Math.max(Math.ceil(share * this.budget), ...weights) + charge;
  }

  /** Only a known client's pictures are weighed, and such a client has `showTo` too. */
  #pictureTokens({ blocks = [] }: Pick<Parcel, "blocks">): number {
    return this.#fitting.bytes?.tokens(blocks) ?? 0;
  }

  /** The weight of all texts together; the last is read only until the sum is certainly at most `enough`. */
  weighTexts(texts: readonly string[], limit: number, enough: number = Number.NEGATIVE_INFINITY): number {
    let weight = 0;
    for (const [index, text] of texts.entries()) {
      const isLast = index === texts.length - 1;
      weight += this.gauge.weigh(text, limit - weight, isLast ? enough - weight : undefined);
      if (weight > limit) return weight;
    }
    return weight;
  }

  /** Whether a rendering fits with any values of its changing parts; near the limit only `weigh` can decide. */
  judge({ texts, structure, outcome }: Rendering): "fits" | "over" | "near" {
    if (this.#fitting.showTo !== undefined) return "near";
    const charge = this.gauge.reserve(chargeOf(outcome.notes, this.#context));
    const edge = this.budget + this.gauge.reserve(joint);
    const enough = this.budget - charge;
    const shown = this.weighTexts(texts, edge, enough);
    const isCounted = structure === undefined || isSame(texts, structure);
    const structured = isCounted ? shown : this.gauge.weigh(structure, edge, enough);
    const weight = Math.max(shown, structured);
    if (weight + charge <= this.budget) return "fits";
    return weight > edge ? "over" : "near";
  }

  /** True if the data alone is over the budget, found without writing all of it. */
  isFarOver(outcome: Outcome): boolean {
    let weight = 0;
    for (const chunk of jsonChunks(dataOf(outcome), CHUNK_LENGTH)) {
      // Two pieces weigh at most one more than their whole. A count stops just above its limit, so the limit is one
      // higher too.
      weight += this.gauge.weigh(chunk, this.budget - weight + 1) - 1;
      if (weight > this.budget) return true;
    }
    return false;
  }
}

/** Weighs texts against the budget. If there are several limits, the strictest decides a text's weight. */
export interface TextWeigher {
  readonly budget: number;
  /**
   * Stops above `limit` and then returns some number above it. It may also stop once the weight is certainly at most
   * `enough`, and then returns a number that is not too small and not above `enough`.
   */
  weigh(text: string, limit?: number, enough?: number): number;
  /** The weight to reserve for something that is added later. */
  reserve(charge: Charge): number;
}

/** No vocabulary has longer tokens, so a text cannot weigh less than this share of its bytes. */
export const MAX_TOKEN_BYTES = 128;

type GaugeParts = Pick<FitContext, "budget" | "byteLength"> & { readonly counter: TokenCounter | undefined };

export function makeTextWeigher({ budget, byteLength, counter }: GaugeParts): TextWeigher {
  const { tokens, bytes, characters, lines, countsEscapes } = budget;
  const sizes = [
    ...(bytes === "off" ? [] : [{ most: bytes, sizeOf: byteLength }]),
    ...(characters === undefined
      ? []
      : [{ most: characters, sizeOf: countsEscapes === true ? escapedLength : lengthOf }]),
    ...(lines === undefined ? [] : [{ most: lines, sizeOf: countLineEnds }]),
  ];
  const [size] = sizes;
  if (tokens !== "off" && counter !== undefined && size === undefined) {
    return {
      budget: tokens,
      weigh: (text, limit, enough) => counter.count(text, limit, enough),
      reserve: (charge) => charge.tokens,
    };
  }
  const counted = tokens === "off" ? undefined : counter;
  const all = tokens === "off" || counter === undefined ? (size?.most ?? Number.POSITIVE_INFINITY) : tokens;
  const rates = sizes.map(({ most, sizeOf }) => ({ sizeOf, rate: all / most }));
  const highest = Math.max(0, ...rates.map(({ rate }) => rate));
  return {
    budget: all,
    weigh: (text, limit) =>
      rates.reduce(
        (weight, { sizeOf, rate }) => Math.max(weight, Math.ceil(sizeOf(text) * rate)),
        counted?.count(text, limit) ?? 0,
      ),
    reserve: (charge) =>
      Math.max(counted === undefined ? 0 : charge.tokens, Math.ceil(charge.bytes * highest)),
  };
}

function lengthOf({ length }: string): number {
  return length;
}

function escapedLength(text: string): number {
  return JSON.stringify(text).length;
}

/** A shorter text says too little when it is cut. */
const MIN_CUT_LENGTH = 200;

/** A value up to this many times the limit is written at once, a longer one piece by piece until it is over. */
const AT_ONCE_FACTOR = 8;

/** The weight of a whole value; any number above `limit` once that is certain, without writing all of it. */
export function weighWhole(value: JsonValue, limit: number, gauge: TextWeigher): number {
  if (isShorter(value, limit * AT_ONCE_FACTOR)) return gauge.weigh(JSON.stringify(value), limit);
  if (!isShorter(value, limit * MAX_TOKEN_BYTES)) return limit + 1;
  let weight = 0;
  for (const chunk of jsonChunks(value, CHUNK_LENGTH)) {
    weight += gauge.weigh(chunk, limit - weight);
    if (weight > limit) break;
  }
  return weight;
}

/** Whether a value's text may be this short. */
export function isShorter(value: JsonValue, length: number): boolean {
  const least = Math.max(0, length);
  return jsonLengthAtLeast(value, least) <= least;
}

/** Whether any part of the value may be left out, by its type and its schema. */
export function isElastic(value: JsonValue, { elasticity }: CutPlace): boolean {
  if (typeof value === "string") return value.length > MIN_CUT_LENGTH && elasticity.canCutText;
  if (Array.isArray(value)) return elasticity.canDropItems && value.length > 0;
  // Trying will show whether a part inside can be left out.
  return isJsonObject(value) && keysOf(value).length > 0;
}
