// The figures of some calls: totals since the start, and tiles of a few seconds for charts.

import type { TypicalResult } from "../protocol/places.ts";
import type { Tile, Totals } from "../protocol/traffic.ts";
import type { NewRow } from "./call-ring.ts";
import { type KeptHistogram, SizeHistogram } from "./size-histogram.ts";

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

/** The totals of a series as data. */
export interface KeptSeries {
  /** calls, failed, abandoned, cut, repaired, retrievals, tokens in and out. */
  readonly counts: readonly number[];
  readonly isEstimated: boolean;
  readonly byErrorType: Readonly<Counts>;
  readonly added: KeptHistogram;
  readonly server: KeptHistogram;
  readonly sizesIn: KeptHistogram;
  readonly sizesOut: KeptHistogram;
}

/** The figures of some calls: those of one tool, or all. */
export class CallSeries {
  readonly #limits: TileLimits;
  readonly #tiles: OpenTile[] = [];
  #byErrorType: Counts = Object.create(null) as Counts;
  #added = new SizeHistogram(LEAST_MS);
  #server = new SizeHistogram(LEAST_MS);
  #sizesIn = new SizeHistogram(1);
  #sizesOut = new SizeHistogram(1);
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

  /** A call that is in the totals already. */
  addToTiles(row: NewRow): void {
    this.#tileAt(row.at).add(row);
  }

  take(other: CallSeries, hasTiles = true): void {
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
    if (hasTiles) this.#mergeTiles(other.#tiles);
  }

  kept(): KeptSeries {
    return {
      counts: [
        this.#calls,
        this.#failed,
        this.#abandoned,
        this.#cut,
        this.#repaired,
        this.#retrievals,
        this.#tokensIn,
        this.#tokensOut,
      ],
      isEstimated: this.#isEstimated,
      byErrorType: { ...this.#byErrorType },
      added: this.#added.kept(),
      server: this.#server.kept(),
      sizesIn: this.#sizesIn.kept(),
      sizesOut: this.#sizesOut.kept(),
    };
  }

  takeKept({ counts, ...kept }: KeptSeries): void {
    const [calls = 0, failed = 0, abandoned = 0, cut = 0, repaired = 0, retrievals = 0] = counts;
    const [tokensIn = 0, tokensOut = 0] = counts.slice(6);
    this.#calls += calls;
    this.#failed += failed;
    this.#abandoned += abandoned;
    this.#cut += cut;
    this.#repaired += repaired;
    this.#retrievals += retrievals;
    this.#tokensIn += tokensIn;
    this.#tokensOut += tokensOut;
    this.#isEstimated ||= kept.isEstimated;
    addCounts(this.#byErrorType, kept.byErrorType);
    this.#added.takeKept(kept.added);
    this.#server.takeKept(kept.server);
    this.#sizesIn.takeKept(kept.sizesIn);
    this.#sizesOut.takeKept(kept.sizesOut);
  }

  /** Everything but the tiles. */
  forgetTotals(): void {
    this.#byErrorType = Object.create(null) as Counts;
    this.#added = new SizeHistogram(LEAST_MS);
    this.#server = new SizeHistogram(LEAST_MS);
    this.#sizesIn = new SizeHistogram(1);
    this.#sizesOut = new SizeHistogram(1);
    this.#calls = this.#failed = this.#abandoned = this.#cut = this.#repaired = this.#retrievals = 0;
    this.#tokensIn = this.#tokensOut = 0;
    this.#isEstimated = false;
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

  /** Tiles are in order on both sides. */
  #mergeTiles(others: readonly OpenTile[]): void {
    const known = new Map(this.#tiles.map((tile) => [tile.at, tile]));
    for (const tile of others) {
      const mine = known.get(tile.at) ?? new OpenTile(tile.at);
      if (!known.has(tile.at)) this.#tiles.push(mine);
      mine.take(tile);
    }
    this.#tiles.sort((a, b) => a.at - b.at);
    this.#tiles.splice(0, this.#tiles.length - this.#limits.maxTiles);
  }
}
