import type { TypicalResult } from "../protocol/places.ts";
import type { Overview, ToolTotals, Tile, Totals } from "../protocol/traffic.ts";
import type { NewRow } from "./call-ring.ts";
import { ToolRatios } from "./new-row.ts";

/** Which calls are meant; all calls if empty. */
export interface FigureFilter {
  readonly upstream?: string | undefined;
  readonly tool?: string | undefined;
}

export interface FigureLimits extends TileLimits {
  readonly maxTools: number;
}

/** The name under which tools beyond the limit are summed up. */
const OTHERS = "(others)";

interface ToolFigures {
  readonly upstream: string;
  readonly tool: string;
  readonly series: CallSeries;
  readonly ratios: ToolRatios;
}

/** Totals and tiles of all calls, and of each tool. */
export class CallFigures {
  readonly #limits: FigureLimits;
  readonly #all: CallSeries;
  /** By upstream, then by tool. */
  readonly #tools = new Map<string, Map<string, ToolFigures>>();
  #count = 0;

  constructor(limits: FigureLimits) {
    this.#limits = limits;
    this.#all = new CallSeries(limits);
  }

  /** `tool` is the name under which the call is summed up. */
  add(row: NewRow, tool: string, isRetrieval: boolean): void {
    this.#all.add(row, isRetrieval);
    this.#of(row.upstream, tool).series.add(row, isRetrieval);
  }

  ratiosOf(upstream: string, tool: string): ToolRatios {
    return this.#of(upstream, tool).ratios;
  }

  overview(filter: FigureFilter, now: number): Omit<Overview, "sinceMs"> {
    const chosen = this.#chosen(filter);
    const series = chosen === undefined ? this.#all : this.#sum(chosen);
    const listed = (chosen ?? this.#list()).toSorted((a, b) => b.series.calls - a.series.calls);
    const tools = listed.map(({ upstream, tool, series: own }): ToolTotals => ({
      upstream,
      tool,
      ...own.totals(),
    }));
    return { totals: series.totals(), tileMs: this.#limits.tileMs, tiles: series.tiles(now), tools };
  }

  typical(upstream: string, tool: string): TypicalResult | undefined {
    const series = this.#tools.get(upstream)?.get(tool)?.series;
    if (series === undefined || series.calls === 0) return undefined;
    return { calls: series.calls, failed: series.totals().failed, ...series.medians() };
  }

  /** Tools beyond the limit share one entry, whatever their upstream. */
  #of(upstream: string, tool: string): ToolFigures {
    const known = this.#tools.get(upstream)?.get(tool);
    if (known !== undefined) return known;
    // The last entry is reserved for the others.
    if (this.#count >= this.#limits.maxTools - 1) return this.#place(OTHERS, OTHERS);
    return this.#place(upstream, tool);
  }

  #place(upstream: string, tool: string): ToolFigures {
    const ofUpstream = this.#tools.get(upstream) ?? new Map<string, ToolFigures>();
    this.#tools.set(upstream, ofUpstream);
    const known = ofUpstream.get(tool);
    if (known !== undefined) return known;
    const made = { upstream, tool, series: new CallSeries(this.#limits), ratios: new ToolRatios() };
    ofUpstream.set(tool, made);
    this.#count += 1;
    return made;
  }

  #list(): ToolFigures[] {
    return [...this.#tools.values()].flatMap((tools) => [...tools.values()]);
  }

  #chosen({ upstream, tool }: FigureFilter): ToolFigures[] | undefined {
    if (upstream === undefined && tool === undefined) return undefined;
    return this.#list().filter(
      (one) => (upstream ?? one.upstream) === one.upstream && (tool ?? one.tool) === one.tool,
    );
  }

  #sum(chosen: readonly ToolFigures[]): CallSeries {
    const [only] = chosen;
    if (chosen.length === 1 && only !== undefined) return only.series;
    const sum = new CallSeries(this.#limits);
    for (const { series } of chosen) sum.take(series);
    return sum;
  }
}

/** Shorter times are treated as equal. */
const LEAST_MS = 0.002;
/** Error types of servers are arbitrary texts; further ones are counted together. */
const MAX_ERROR_TYPES = 24;
const OTHER_TYPES = "(others)";

type Counts = Record<string, number>;

function count(counts: Counts, type: string): void {
  const known = counts[type];
  if (known !== undefined) counts[type] = known + 1;
  else if (Object.keys(counts).length < MAX_ERROR_TYPES) counts[type] = 1;
  else counts[OTHER_TYPES] = (counts[OTHER_TYPES] ?? 0) + 1;
}

function addCounts(to: Counts, from: Readonly<Counts>): void {
  for (const [type, times] of Object.entries(from)) {
    const isKnown = to[type] !== undefined || Object.keys(to).length < MAX_ERROR_TYPES;
    const name = isKnown ? type : OTHER_TYPES;
    to[name] = (to[name] ?? 0) + times;
  }
}

/** A figure for people: three digits are enough. */
function tidy(ms: number): number {
  return Number(ms.toPrecision(3));
}

/** The totals of a few seconds. */
class OpenTile {
  readonly at: number;
  readonly #byErrorType: Counts = Object.create(null) as Counts;
  readonly #added = new SizeHistogram(LEAST_MS);
  #calls = 0;
  #failed = 0;
  #tokensIn = 0;
  #tokensOut = 0;
  #view: Tile | undefined;

  constructor(at: number) {
    this.at = at;
  }

  add(row: NewRow): void {
    this.#view = undefined;
    this.#calls += 1;
    if (row.ending === "failed") this.#failed += 1;
    if (row.errorType !== undefined) count(this.#byErrorType, row.errorType);
    this.#tokensIn += row.tokensIn;
    this.#tokensOut += row.tokensOut;
    this.#added.add(row.addedMs);
  }

  take(other: OpenTile): void {
    this.#view = undefined;
    this.#calls += other.#calls;
    this.#failed += other.#failed;
    this.#tokensIn += other.#tokensIn;
    this.#tokensOut += other.#tokensOut;
    addCounts(this.#byErrorType, other.#byErrorType);
    this.#added.take(other.#added);
  }

  /** Computed once for a finished tile: pages ask every second. */
  view(): Tile {
    return (this.#view ??= {
      at: this.at,
      calls: this.#calls,
      failed: this.#failed,
      byErrorType: { ...this.#byErrorType },
      tokensIn: this.#tokensIn,
      tokensOut: this.#tokensOut,
      addedP50Ms: tidy(this.#added.quantile(0.5)),
      addedP99Ms: tidy(this.#added.quantile(0.99)),
    });
  }
}

export interface TileLimits {
  readonly tileMs: number;
  readonly maxTiles: number;
}

/** The figures of some calls: those of one tool, or all. */
export class CallSeries {
  readonly #limits: TileLimits;
  readonly #tiles: OpenTile[] = [];
  readonly #byErrorType: Counts = Object.create(null) as Counts;
  readonly #added = new SizeHistogram(LEAST_MS);
  readonly #server = new SizeHistogram(LEAST_MS);
  readonly #sizesIn = new SizeHistogram(1);
  readonly #sizesOut = new SizeHistogram(1);
  #calls = 0;
  #failed = 0;
  #abandoned = 0;
  #cut = 0;
  #repaired = 0;
  #retrievals = 0;
  #tokensIn = 0;
  #tokensOut = 0;
  #isEstimated = false;

  constructor(limits: TileLimits) {
    this.#limits = limits;
  }

  get calls(): number {
    return this.#calls;
  }

  add(row: NewRow, isRetrieval: boolean): void {
    this.#calls += 1;
    if (row.ending === "failed") this.#failed += 1;
    else if (row.ending === "abandoned") this.#abandoned += 1;
    if (row.errorType !== undefined) count(this.#byErrorType, row.errorType);
    if (row.fidelity !== "full") this.#cut += 1;
    if (row.isRepaired) this.#repaired += 1;
    if (isRetrieval) this.#retrievals += 1;
    this.#tokensIn += row.tokensIn;
    this.#tokensOut += row.tokensOut;
    if (!row.isCounted) this.#isEstimated = true;
    this.#added.add(row.addedMs);
    this.#server.add(row.serverMs);
    this.#sizesIn.add(row.tokensIn);
    this.#sizesOut.add(row.tokensOut);
    this.#tileAt(row.at).add(row);
  }

  take(other: CallSeries): void {
    this.#calls += other.#calls;
    this.#failed += other.#failed;
    this.#abandoned += other.#abandoned;
    this.#cut += other.#cut;
    this.#repaired += other.#repaired;
    this.#retrievals += other.#retrievals;
    this.#tokensIn += other.#tokensIn;
    this.#tokensOut += other.#tokensOut;
    this.#isEstimated ||= other.#isEstimated;
    addCounts(this.#byErrorType, other.#byErrorType);
    this.#added.take(other.#added);
    this.#server.take(other.#server);
    this.#sizesIn.take(other.#sizesIn);
    this.#sizesOut.take(other.#sizesOut);
    for (const tile of other.#tiles) this.#mergeTile(tile);
  }

  totals(): Totals {
    return {
      calls: this.#calls,
      failed: this.#failed,
      abandoned: this.#abandoned,
      cut: this.#cut,
      repaired: this.#repaired,
      retrievals: this.#retrievals,
      tokensIn: this.#tokensIn,
      tokensOut: this.#tokensOut,
      isEstimated: this.#isEstimated,
      addedP50Ms: tidy(this.#added.quantile(0.5)),
      addedP99Ms: tidy(this.#added.quantile(0.99)),
      serverP50Ms: tidy(this.#server.quantile(0.5)),
      byErrorType: { ...this.#byErrorType },
    };
  }

  /** Oldest first, none older than the limit. */
  tiles(now: number): readonly Tile[] {
    const { tileMs, maxTiles } = this.#limits;
    const oldest = Math.floor(now / tileMs) * tileMs - (maxTiles - 1) * tileMs;
    return this.#tiles.filter(({ at }) => at >= oldest).map((tile) => tile.view());
  }

  /** Medians that describe the typical result of a tool. */
  medians(): Pick<TypicalResult, "tokensIn" | "tokensOut" | "isEstimated" | "serverMs"> {
    return {
      isEstimated: this.#isEstimated || !this.#sizesIn.isExact,
      tokensIn: Math.round(this.#sizesIn.quantile(0.5)),
      tokensOut: Math.round(this.#sizesOut.quantile(0.5)),
      serverMs: tidy(this.#server.quantile(0.5)),
    };
  }

  /** If the clock is set back, calls go into the newest tile: tiles stay in order. */
  #tileAt(ms: number): OpenTile {
    const { tileMs, maxTiles } = this.#limits;
    const newest = this.#tiles.at(-1);
    const at = Math.floor(ms / tileMs) * tileMs;
    if (newest !== undefined && at <= newest.at) return newest;
    const tile = new OpenTile(at);
    this.#tiles.push(tile);
    if (this.#tiles.length > maxTiles) this.#tiles.shift();
    return tile;
  }

  #mergeTile(tile: OpenTile): void {
    let known = this.#tiles.find(({ at }) => at === tile.at);
    if (known === undefined) {
      known = new OpenTile(tile.at);
      this.#tiles.push(known);
      this.#tiles.sort((a, b) => a.at - b.at);
      if (this.#tiles.length > this.#limits.maxTiles) this.#tiles.shift();
    }
    known.take(tile);
  }
}

/** Each step is a fifth longer than the one before: figures are accurate to a tenth. */
const GROWTH = 1.2;
const STEPS = 112;
const LOG_GROWTH = Math.log(GROWTH);
/** This many values are kept exactly: with few calls people know the figures, and would notice wrong ones. */
const EXACT = 16;

/** Counts values by size, for medians and percentiles in little memory. */
export class SizeHistogram {
  readonly #least: number;
  readonly #counts = new Uint32Array(STEPS);
  #first: number[] = [];
  #total = 0;

  /** Values up to `least` are treated as equal. */
  constructor(least: number) {
    this.#least = least;
  }

  add(value: number): void {
    const step = value > this.#least ? 1 + Math.floor(Math.log(value / this.#least) / LOG_GROWTH) : 0;
    const place = step < STEPS ? step : STEPS - 1;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#total += 1;
    if (this.#total <= EXACT) this.#first.push(value);
    else if (this.#first.length > 0) this.#first = [];
  }

  /** Whether its figures are actual values, not approximations. */
  get isExact(): boolean {
    return this.#total <= EXACT;
  }

  /** Adds the values of another histogram. */
  take(other: SizeHistogram): void {
    for (let step = 0; step < STEPS; step++)
      this.#counts[step] = (this.#counts[step] ?? 0) + (other.#counts[step] ?? 0);
    this.#total += other.#total;
    this.#first = this.isExact ? [...this.#first, ...other.#first] : [];
  }

  /**
   * The value that this part of all values does not exceed, accurate to a tenth if there are many; 0 without values.
   */
  quantile(part: number): number {
    if (this.#total === 0) return 0;
    const rank = Math.max(1, Math.ceil(part * this.#total));
    if (this.isExact) return this.#first.toSorted((a, b) => a - b)[rank - 1] ?? 0;
    let seen = 0;
    for (let step = 0; step < STEPS; step++) {
      const here = this.#counts[step] ?? 0;
      seen += here;
      if (seen < rank) continue;
      if (step === 0) return this.#least;
      // Interpolates as if the values of a step were spread evenly over it.
      const inside = (rank - (seen - here)) / here;
      return this.#least * GROWTH ** (step - 1 + inside);
    }
    return 0;
  }
}
