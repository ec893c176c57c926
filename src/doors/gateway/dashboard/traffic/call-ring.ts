import { fidelityLevels } from "../../../../core/contract/outcome.ts";
import type { CallEnding, CallRow } from "../protocol/traffic.ts";

/** A row before it gets its number in the list. */
export type NewRow = Omit<CallRow, "seq">;

const endings: readonly CallEnding[] = ["ok", "failed", "abandoned"];

// One byte holds the ending (2 bits), the fidelity (2 bits) and four flags.
const UNTOUCHED = 16;
const REPAIRED = 32;
const ARCHIVED = 64;
const COUNTED = 128;
const MAX_WARNINGS = 255;

/** Rounded to thousandths: a row is sent as JSON, and the clock is not more exact. */
function roundMs(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

/**
 * The newest calls, in columns: 100,000 objects of twenty members would take 20 MB and time in the garbage collector.
 * The same few names repeat, so columns of texts cost only a pointer for each row.
 */
export class CallRing {
  readonly #size: number;
  readonly #at: Float64Array;
  readonly #serverMs: Float32Array;
  readonly #addedMs: Float32Array;
  readonly #tokensIn: Float64Array;
  readonly #tokensOut: Float64Array;
  readonly #flags: Uint8Array;
  readonly #own: Uint8Array;
  /** The number of a call at the replica that took it. */
  readonly #theirs: Uint32Array;
  readonly #warnings: Uint8Array;
  readonly #texts: (string | undefined)[];
  #newest = 0;

  constructor(size: number) {
    this.#size = size;
    this.#at = new Float64Array(size);
    this.#serverMs = new Float32Array(size);
    this.#addedMs = new Float32Array(size);
    this.#tokensIn = new Float64Array(size);
    this.#tokensOut = new Float64Array(size);
    this.#flags = new Uint8Array(size);
    this.#own = new Uint8Array(size);
    this.#theirs = new Uint32Array(size);
    this.#warnings = new Uint8Array(size);
    this.#texts = [];
  }

  /** The number of the last call; 0 before the first. */
  get newestSeq(): number {
    return this.#newest;
  }

  /** The oldest call that is still kept; 1 before the first. */
  get oldestSeq(): number {
    return Math.max(1, this.#newest - this.#size + 1);
  }

  has(seq: number): boolean {
    return Number.isInteger(seq) && seq >= this.oldestSeq && seq <= this.#newest;
  }

  /** Adds a row and returns its number; `theirs` is the one that it has at its replica. */
  add(row: NewRow, theirs = 0): number {
    const seq = (this.#newest += 1);
    const place = seq % this.#size;
    this.#at[place] = row.at;
    this.#serverMs[place] = row.serverMs;
    this.#addedMs[place] = row.addedMs;
    this.#tokensIn[place] = row.tokensIn;
    this.#tokensOut[place] = row.tokensOut;
    this.#flags[place] =
      endings.indexOf(row.ending) |
      (fidelityLevels.indexOf(row.fidelity) << 2) |
      (row.isUntouched ? UNTOUCHED : 0) |
      (row.isRepaired ? REPAIRED : 0) |
      (row.isArchived ? ARCHIVED : 0) |
      (row.isCounted ? COUNTED : 0);
    this.#own[place] = row.isOwn ? 1 : 0;
    this.#theirs[place] = theirs;
    this.#warnings[place] = Math.min(row.warnings, MAX_WARNINGS);
    const texts = this.#texts;
    const first = place * TEXTS;
    texts[first] = row.upstream;
    texts[first + 1] = row.tool;
    texts[first + 2] = row.requestId;
    texts[first + 3] = row.dialect;
    texts[first + 4] = row.errorCode;
    texts[first + 5] = row.errorType;
    texts[first + 6] = row.caller;
    texts[first + 7] = row.replica;
    return seq;
  }

  /** Undefined for a call that is no longer kept, or does not exist yet. */
  row(seq: number): CallRow | undefined {
    if (!this.has(seq)) return undefined;
    const place = seq % this.#size;
    const flags = this.#flags[place] ?? 0;
    const texts = this.#texts;
    const first = place * TEXTS;
    return {
      seq,
      at: this.#at[place] ?? 0,
      upstream: texts[first] ?? "",
      tool: texts[first + 1] ?? "",
      requestId: texts[first + 2] ?? "",
      caller: texts[first + 6],
      replica: texts[first + 7],
      ending: endings[flags & 3] ?? "ok",
      errorCode: texts[first + 4],
      errorType: texts[first + 5],
      fidelity: fidelityLevels[(flags >> 2) & 3] ?? "full",
      isUntouched: (flags & UNTOUCHED) !== 0,
      isRepaired: (flags & REPAIRED) !== 0,
      isArchived: (flags & ARCHIVED) !== 0,
      warnings: this.#warnings[place] ?? 0,
      dialect: texts[first + 3] ?? "",
      serverMs: roundMs(this.#serverMs[place] ?? 0),
      addedMs: roundMs(this.#addedMs[place] ?? 0),
      tokensIn: this.#tokensIn[place] ?? 0,
      tokensOut: this.#tokensOut[place] ?? 0,
      isCounted: (flags & COUNTED) !== 0,
      isOwn: this.#own[place] === 1,
    };
  }

  /** The number that a call has at its replica. */
  theirs(seq: number): number {
    return this.has(seq) ? (this.#theirs[seq % this.#size] ?? 0) : 0;
  }

  /** The call of a replica that has this number there; undefined if it is not kept. */
  find(replica: string | undefined, theirs: number): number | undefined {
    for (let seq = this.#newest; seq >= this.oldestSeq && seq > 0; seq--) {
      const place = seq % this.#size;
      if (this.#theirs[place] === theirs && this.#texts[place * TEXTS + 7] === replica) return seq;
    }
    return undefined;
  }

  /** A call that succeeded and has nothing notable: it may be left out if too many come at once. */
  isOrdinary(seq: number): boolean {
    const place = seq % this.#size;
    const flags = this.#flags[place] ?? 0;
    const isPlain = (flags & (REPAIRED | 15)) === 0;
    return isPlain && this.#warnings[place] === 0 && this.#own[place] === 0;
  }
}

/** How many texts a row has. */
const TEXTS = 8;
