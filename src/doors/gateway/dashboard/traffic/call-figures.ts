import type { TypicalResult } from "../protocol/places.ts";
import type { Overview, ToolTotals } from "../protocol/traffic.ts";
import type { NewRow } from "./call-ring.ts";
import { CallSeries, type KeptSeries, type TileLimits } from "./call-series.ts";
import { ToolRatios } from "./new-row.ts";

/** Which calls are meant; all calls if empty. */
export interface FigureFilter {
  readonly upstream?: string | undefined;
  readonly tool?: string | undefined;
}

/** The totals of one tool as data, without its tiles. */
export interface KeptTool {
  readonly upstream: string;
  readonly tool: string;
  readonly series: KeptSeries;
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
    return overviewOf(series, chosen ?? this.#list(), this.#limits, now);
  }

  /** Adds the calls of other figures. Of tools the tiles are left out, unless they are asked for. */
  take(other: CallFigures, filter: FigureFilter): void {
    const isAll = other.#chosen(filter) === undefined;
    if (isAll) this.#all.take(other.#all);
    for (const { upstream, tool, series } of other.#chosen(filter) ?? other.#list())
      this.#of(upstream, tool).series.take(series, !isAll);
  }

  /** The totals of every tool as data. */
  kept(): readonly KeptTool[] {
    return this.#list().map(({ upstream, tool, series }) => ({ upstream, tool, series: series.kept() }));
  }

  /** Replaces all totals by kept ones; the tiles stay. */
  restore(kept: readonly KeptTool[]): void {
    this.#all.forgetTotals();
    for (const { series } of this.#list()) series.forgetTotals();
    for (const { upstream, tool, series } of kept) {
      this.#all.takeKept(series);
      this.#of(upstream, tool).series.takeKept(series);
    }
  }

  /** A call that is in the totals already: only its tile is missing. */
  addToTiles(row: NewRow, tool: string): void {
    this.#all.addToTiles(row);
    this.#of(row.upstream, tool).series.addToTiles(row);
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

function overviewOf(
  series: CallSeries,
  tools: readonly ToolFigures[],
  { tileMs }: TileLimits,
  now: number,
): Omit<Overview, "sinceMs"> {
  const listed = tools
    .filter(({ series: own }) => own.calls > 0)
    .toSorted((a, b) => b.series.calls - a.series.calls)
    .map(({ upstream, tool, series: own }): ToolTotals => ({ upstream, tool, ...own.totals() }));
  return { totals: series.totals(), tileMs, tiles: series.tiles(now), tools: listed };
}
