// The calls of a gateway as the dashboard knows them: rows, totals, tiles, and the content of some calls. Everything is
// limited, and a call costs a few numbers; nothing of this runs without a dashboard.

import type { ToolCall } from "../../../../engine/call/called-tool.ts";
import type { AnsweredCall, CallTimes } from "../../../../engine/call/answered-call.ts";
import { loadCounter } from "../../../../core/tokens/token-counter.ts";
import type { WatchedUpstream } from "../dashboard-parts.ts";
import type { TypicalResult } from "../protocol/places.ts";
import type { CallBatch, CallPage, CallRow, Overview } from "../protocol/traffic.ts";
import { batchesAfter, newestBatch } from "./call-batches.ts";
import { CallRing, type NewRow } from "./call-ring.ts";
import { CallFigures, type FigureFilter, type KeptTool } from "./call-figures.ts";
import { ContentKeeper, type KeptCall, KeptCalls } from "./kept-calls.ts";
import { RowMaker, isRetrieval, TokenEstimate } from "./new-row.ts";

/** How much is kept. The defaults are in docs/dashboard.md. */
export interface TrafficLimits {
  readonly maxRows: number;
  /** For details and contents, in total and for each text. */
  readonly maxKeptBytes: number;
  readonly maxTextChars: number;
  readonly maxTools: number;
  readonly tileMs: number;
  readonly maxTiles: number;
  /** How long new calls are collected before listeners receive them. */
  readonly batchMs: number;
}

const usualLimits: TrafficLimits = {
  maxRows: 100_000,
  maxKeptBytes: 32 * 1024 * 1024,
  maxTextChars: 128 * 1024,
  maxTools: 200,
  tileMs: 10_000,
  maxTiles: 360,
  batchMs: 250,
};

export interface TrafficOptions {
  /** Whether arguments and results are kept. */
  readonly bodies: boolean;
  readonly limits?: Partial<TrafficLimits> | undefined;
  /** Default: the system's clock. */
  readonly now?: (() => number) | undefined;
  /** The name of this replica, if its calls are shared with others. */
  readonly replica?: string | undefined;
}

/** A call as replicas tell it to each other. */
export interface SharedCall {
  /** 1, 2, 3 … in the order in which calls of one replica ended. */
  readonly n: number;
  /** The name under which the call is summed up. */
  readonly tool: string;
  readonly isRetrieval: boolean;
  readonly row: NewRow;
}

/** The totals of a replica up to one of its calls. */
export interface SharedTotals {
  readonly upTo: number;
  readonly sinceMs: number;
  readonly tools: readonly KeptTool[];
}

const MAX_PAGE = 1_000;

/** What is known of a replica besides its calls. */
interface OtherReplica {
  readonly figures: CallFigures;
  readonly sinceMs: number;
  /** The last of its calls that is in the list. */
  seen: number;
  /** The last of its calls that is in the totals. */
  counted: number;
}

export class Traffic {
  readonly hasBodies: boolean;
  readonly #limits: TrafficLimits;
  readonly #now: () => number;
  readonly #sinceMs: number;
  readonly #ring: CallRing;
  readonly #figures: CallFigures;
  readonly #others = new Map<string, OtherReplica>();
  readonly #replica: string | undefined;
  #takeShared: ((call: SharedCall) => void) | undefined;
  #ownCalls = 0;
  #changes = 0;
  readonly #kept: KeptCalls;
  readonly #keeper: ContentKeeper;
  readonly #tokens = new TokenEstimate();
  readonly #own = new OwnCalls();
  readonly #listeners = new Set<(batch: CallBatch) => void>();
  #toldSeq = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ bodies, limits, now = Date.now, replica }: TrafficOptions) {
    this.hasBodies = bodies;
    this.#replica = replica;
    this.#limits = { ...usualLimits, ...limits };
    this.#now = now;
    this.#sinceMs = now();
    this.#ring = new CallRing(this.#limits.maxRows);
    this.#figures = new CallFigures(this.#limits);
    this.#kept = new KeptCalls(this.#limits.maxKeptBytes);
    this.#keeper = new ContentKeeper(bodies, this.#limits.maxTextChars);
  }

  /** Loads the token counter. Without it, or before, tokens are estimated; never rejects. */
  async load(): Promise<void> {
    try {
      this.#tokens.use(await loadCounter());
    } catch {
      // A gateway without its vocabulary still works, and its log says that the vocabulary is missing.
    }
  }

  /** Records every call of an upstream from now on. Returns a function that stops this. */
  watch(upstream: WatchedUpstream): () => void {
    const maker = new RowMaker(upstream, this.#tokens, (requestId) => this.#own.has(requestId));
    return upstream.state.events.onAnswer({
      answered: (call, answered, times) => this.#answered(maker, upstream, call, answered, times),
      unanswered: (call, thrown, times) => {
        const row = maker.unanswered(call, thrown, times, this.#now());
        if (row !== undefined) this.#add(row, maker.figureName(call), false);
      },
    });
  }

  /** The number of the last call; 0 before the first. */
  get newestSeq(): number {
    return this.#ring.newestSeq;
  }

  /** Undefined for a call that is no longer kept. */
  row(seq: number): CallRow | undefined {
    return this.#ring.row(seq);
  }

  /**
   * What is kept of a call besides its row. Undefined for a call that made room for later ones, or came when too many
   * came at once.
   */
  kept(seq: number): KeptCall | undefined {
    return this.#kept.find(seq);
  }

  /** The names of the tenants whose calls are kept, each with the upstream that it called. */
  upstreamsByTenant(): ReadonlyMap<string, string> {
    return this.#kept.upstreamsByTenant();
  }

  /** Which calls name an archive, by the tenant's key, a slash, its 64 hex digits; newest first. */
  seqsByArchive(): ReadonlyMap<string, readonly number[]> {
    return this.#kept.seqsByArchive();
  }

  /** The calls before a number, newest first; from the newest on if `before` is not given. */
  page(before: number | undefined, limit: number): CallPage {
    const { newestSeq, oldestSeq } = this.#ring;
    const rows: CallRow[] = [];
    const last = Math.min(newestSeq, (before ?? newestSeq + 1) - 1);
    for (let seq = last; seq >= oldestSeq && rows.length < Math.min(limit, MAX_PAGE); seq--) {
      const row = this.#ring.row(seq);
      if (row !== undefined) rows.push(row);
    }
    return { rows, oldestSeq, newestSeq };
  }

  /** Of one replica, or of all of them together. */
  overview({ replica, ...filter }: FigureFilter & { readonly replica?: string | undefined } = {}): Overview {
    const own = { sinceMs: this.#sinceMs, figures: this.#figures };
    const others = [...this.#others].filter(([name]) => (replica ?? name) === name).map(([, other]) => other);
    const members = [...((replica ?? this.#replica) === this.#replica ? [own] : []), ...others];
    const sinceMs = Math.min(...members.map((member) => member.sinceMs), this.#now());
    const [only] = members;
    if (members.length === 1 && only !== undefined)
      return { sinceMs, ...only.figures.overview(filter, this.#now()) };
    const sum = new CallFigures(this.#limits);
    for (const { figures } of members) sum.take(figures, filter);
    return { sinceMs, ...sum.overview(filter, this.#now()) };
  }

  /** Gives each call of this replica to the others. */
  share(take: (call: SharedCall) => void): void {
    this.#takeShared = take;
  }

  /** What this replica counted, for those that come later. */
  totals(): SharedTotals {
    return { upTo: this.#ownCalls, sinceMs: this.#sinceMs, tools: this.#figures.kept() };
  }

  /** Another replica, with its totals so far. True if they replace what was counted here: they are newer. */
  meet(replica: string, totals: SharedTotals | undefined): boolean {
    const known = this.#others.get(replica);
    const { figures = new CallFigures(this.#limits), counted = 0 } = known ?? {};
    const isNewer = totals !== undefined && totals.upTo >= counted;
    if (isNewer) figures.restore(totals.tools);
    this.#others.set(replica, {
      figures,
      sinceMs: totals?.sinceMs ?? known?.sinceMs ?? this.#now(),
      seen: known?.seen ?? 0,
      counted: isNewer ? totals.upTo : counted,
    });
    if (isNewer) this.#changes += 1;
    return isNewer;
  }

  /**
   * Adds a call of another replica, once: a call that was told before is passed over. False if calls before it are
   * missing, so that the totals must be asked for again.
   */
  receive(replica: string, { n, tool, isRetrieval: isRetrieving, row }: SharedCall): boolean {
    const other = this.#others.get(replica);
    if (other === undefined || n <= other.seen) return true;
    const isGap = n > Math.max(other.seen, other.counted) + 1;
    other.seen = n;
    this.#ring.add({ ...row, replica }, n);
    if (n > other.counted) {
      other.counted = n;
      other.figures.add(row, tool, isRetrieving);
    } else other.figures.addToTiles(row, tool);
    if (this.#listeners.size > 0) this.#timer ??= this.#tellLater();
    return !isGap;
  }

  /** Another replica that took a call, and its number there; undefined for a call of this one. */
  takenBy({ seq, replica }: CallRow): { readonly replica: string; readonly n: number } | undefined {
    if (replica === undefined || replica === this.#replica) return undefined;
    return { replica, n: this.#ring.theirs(seq) };
  }

  /** A call of this replica by the number that it has for the others. */
  ownRow(n: number): CallRow | undefined {
    const seq = this.#ring.find(this.#replica, n);
    return seq === undefined ? undefined : this.#ring.row(seq);
  }

  /** Up to which of its calls another replica is counted here. */
  countedOf(replica: string): number {
    return this.#others.get(replica)?.counted ?? 0;
  }

  /** Forgets the figures of a replica that has long gone; its calls stay in the list. */
  forget(replica: string): void {
    if (this.#others.delete(replica)) this.#changes += 1;
  }

  /** Grows with everything that changes the figures. */
  get revision(): number {
    return this.newestSeq + this.#changes;
  }

  /** The typical result of a tool so far; undefined before its first call. */
  typical(upstream: string, tool: string): TypicalResult | undefined {
    return this.#figures.typical(upstream, tool);
  }

  /** For a new page: the newest calls, or those after the last that it knows. At most 500. */
  newest(after = 0): CallBatch {
    return newestBatch(this.#ring, after);
  }

  /** Sends new calls to a listener, at most every 250 ms. Returns a function that stops this. */
  onRows(listener: (batch: CallBatch) => void): () => void {
    if (this.#listeners.size === 0) this.#toldSeq = this.newestSeq;
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** The page itself is about to call a tool with this request id; `seq` then returns the number of its row. */
  expectOwn(requestId: string): { readonly seq: () => number | undefined } {
    return this.#own.expect(requestId);
  }

  #answered(
    maker: RowMaker,
    upstream: WatchedUpstream,
    call: ToolCall,
    answered: AnsweredCall,
    times: CallTimes | undefined,
  ): void {
    // A request for input, or a task: its answer comes later.
    if (answered.dialect === undefined) return;
    const now = this.#now();
    const tool = maker.figureName(call);
    const ratios = this.#figures.ratiosOf(upstream.name, tool);
    const row = maker.answered(call, answered, times, ratios, now);
    const seq = this.#add(row, tool, isRetrieval(call, answered));
    const isNotable = !this.#ring.isOrdinary(seq);
    const kept = this.#keeper.keep({ seq, upstream, call, answered, isNotable, now });
    if (kept !== undefined) this.#kept.add(kept.call, kept.bytes, isNotable);
  }

  #add(made: NewRow, tool: string, isRetrieving: boolean): number {
    const row = this.#replica === undefined ? made : { ...made, replica: this.#replica };
    this.#ownCalls += 1;
    const seq = this.#ring.add(row, this.#ownCalls);
    this.#figures.add(row, tool, isRetrieving);
    this.#takeShared?.({ n: this.#ownCalls, tool, isRetrieval: isRetrieving, row });
    if (row.isOwn) this.#own.note(row.requestId, seq);
    if (this.#listeners.size > 0) this.#timer ??= this.#tellLater();
    return seq;
  }

  #tellLater(): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timer = undefined;
      const batches = batchesAfter(this.#ring, this.#toldSeq);
      this.#toldSeq = this.newestSeq;
      for (const batch of batches) for (const listener of this.#listeners) listener(batch);
    }, this.#limits.batchMs);
    timer.unref();
    return timer;
  }
}

/** A page that never asks for its calls must not fill the memory. */
const MAX_EXPECTED = 1_000;

/** The calls that the page itself makes, recognised by request ids that only the page has. */
class OwnCalls {
  readonly #seqs = new Map<string, number | undefined>();

  has(requestId: string): boolean {
    return this.#seqs.size > 0 && this.#seqs.has(requestId);
  }

  expect(requestId: string): { readonly seq: () => number | undefined } {
    this.#seqs.set(requestId, undefined);
    const [oldest = ""] = this.#seqs.keys();
    if (this.#seqs.size > MAX_EXPECTED) this.#seqs.delete(oldest);
    return { seq: () => this.#seqs.get(requestId) };
  }

  note(requestId: string, seq: number): void {
    this.#seqs.set(requestId, seq);
  }
}
