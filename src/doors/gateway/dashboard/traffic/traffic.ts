// The calls of a gateway as the dashboard knows them: rows, totals, tiles, and the content of some calls. Everything is
// limited, and a call costs a few numbers; nothing of this runs without a dashboard.

import type { ToolCall } from "../../../../engine/call/called-tool.ts";
import type { AnsweredCall, CallTimes } from "../../../../engine/call/answered-call.ts";
import { loadCounter } from "../../../../core/tokens/token-counter.ts";
import { type WatchedUpstream, type ApiRequest, ApiProblem, type ApiRoute } from "../dashboard-parts.ts";
import type { TypicalResult } from "../protocol/places.ts";
import type { CallBatch, CallPage, CallRow, Overview } from "../protocol/traffic.ts";
import { CallRing, type NewRow } from "./call-ring.ts";
import { CallFigures, type FigureFilter } from "./call-figures.ts";
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
}

const MAX_PAGE = 1_000;

export class Traffic {
  readonly hasBodies: boolean;
  readonly #limits: TrafficLimits;
  readonly #now: () => number;
  readonly #sinceMs: number;
  readonly #ring: CallRing;
  readonly #figures: CallFigures;
  readonly #kept: KeptCalls;
  readonly #keeper: ContentKeeper;
  readonly #tokens = new TokenEstimate();
  readonly #own = new OwnCalls();
  readonly #listeners = new Set<(batch: CallBatch) => void>();
  #toldSeq = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ bodies, limits, now = Date.now }: TrafficOptions) {
    this.hasBodies = bodies;
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

  overview(filter: FigureFilter = {}): Overview {
    return { sinceMs: this.#sinceMs, ...this.#figures.overview(filter, this.#now()) };
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

  #add(row: NewRow, tool: string, isRetrieving: boolean): number {
    const seq = this.#ring.add(row);
    this.#figures.add(row, tool, isRetrieving);
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

/** How many calls a new page receives. */
const FIRST_ROWS = 500;
/** How many calls one event contains after that: four times a second, which is more than a person can read. */
const BATCH_ROWS = 100;

/**
 * The calls after `after` as batches, oldest first. Of more than `BATCH_ROWS` calls ordinary ones are left out, oldest
 * first; all others are sent, in as many batches as needed.
 */
export function batchesAfter(ring: CallRing, after: number, limit = BATCH_ROWS): readonly CallBatch[] {
  const { newestSeq } = ring;
  const first = Math.max(after + 1, ring.oldestSeq);
  const count = newestSeq - first + 1;
  let toSkip = Math.max(0, count - limit);
  const rows: CallRow[] = [];
  for (let seq = first; seq <= newestSeq; seq++) {
    if (toSkip > 0 && ring.isOrdinary(seq)) {
      toSkip -= 1;
      continue;
    }
    const row = ring.row(seq);
    if (row !== undefined) rows.push(row);
  }
  if (rows.length === 0) return [];
  const batches: CallBatch[] = [];
  for (let start = 0; start < rows.length; start += limit)
    batches.push({
      rows: rows.slice(start, start + limit),
      skipped: start === 0 ? count - rows.length : 0,
    });
  return batches;
}

/** What a new page receives: the newest calls without a gap, or those after the last it knows. */
function newestBatch(ring: CallRing, after: number, limit = FIRST_ROWS): CallBatch {
  const { newestSeq } = ring;
  const known = Math.max(after, ring.oldestSeq - 1);
  const first = Math.max(known + 1, newestSeq - limit + 1);
  const rows: CallRow[] = [];
  for (let seq = first; seq <= newestSeq; seq++) {
    const row = ring.row(seq);
    if (row !== undefined) rows.push(row);
  }
  return { rows, skipped: first - known - 1 };
}

const USUAL_PAGE = 200;

function numberIn({ query }: ApiRequest, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= 1) return value;
  throw new ApiProblem(
    "invalid",
    `${name} is not a whole number from 1 on.`,
    `Give ${name}=100, or leave it out.`,
  );
}

/** `GET /api/calls` and `GET /api/overview`. */
export function trafficRoutes(traffic: Traffic): readonly ApiRoute[] {
  return [
    {
      method: "GET",
      path: "/api/calls",
      answer: (request) =>
        traffic.page(numberIn(request, "before"), numberIn(request, "limit") ?? USUAL_PAGE),
    },
    {
      method: "GET",
      path: "/api/overview",
      answer: ({ query }) =>
        traffic.overview({
          upstream: query.get("upstream") ?? undefined,
          tool: query.get("tool") ?? undefined,
        }),
    },
  ];
}
