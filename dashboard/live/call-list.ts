// The calls the page knows, oldest first. New ones are appended; older ones are asked for and merged in.

import type { CallRow } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";

/** As many calls as the gateway keeps. */
export const MAX_ROWS = 100_000;
/** Rows are dropped this many at a time: dropping one for each new one would copy the list each time. */
const SLACK = 5_000;

export class CallList {
  #rows: CallRow[] = [];
  #revision = 0;

  get rows(): readonly CallRow[] {
    return this.#rows;
  }

  /** Changes when rows came or went anywhere but at the end: a view that kept a position looks it up again. */
  get revision(): number {
    return this.#revision;
  }

  get newestSeq(): number {
    return this.#rows.at(-1)?.seq ?? 0;
  }

  get oldestSeq(): number {
    return this.#rows[0]?.seq ?? 0;
  }

  /** Takes rows in any order; those it has are left out. */
  add(rows: readonly CallRow[]): void {
    const sorted = isAscending(rows) ? rows : rows.toSorted((one, other) => one.seq - other.seq);
    const first = sorted[0];
    if (first === undefined) return;
    if (first.seq > this.newestSeq) this.#rows.push(...sorted);
    else this.#merge(sorted);
    if (this.#rows.length > MAX_ROWS + SLACK) {
      this.#rows = this.#rows.slice(-MAX_ROWS);
      this.#revision += 1;
    }
  }

  /** Everything is forgotten: the gateway was started again and counts from one. */
  clear(): void {
    this.#rows = [];
    this.#revision += 1;
  }

  find(seq: number): CallRow | undefined {
    const at = firstAtLeast(this.#rows, seq);
    return this.#rows[at]?.seq === seq ? this.#rows[at] : undefined;
  }

  #merge(sorted: readonly CallRow[]): void {
    const merged: CallRow[] = [];
    let at = 0;
    for (const row of this.#rows) {
      for (let next = sorted[at]; next !== undefined && next.seq < row.seq; next = sorted[at]) {
        merged.push(next);
        at += 1;
      }
      if (sorted[at]?.seq === row.seq) at += 1;
      merged.push(row);
    }
    for (const row of sorted.slice(at)) merged.push(row);
    if (merged.length > this.#rows.length) {
      this.#rows = merged;
      this.#revision += 1;
    }
  }
}

function isAscending(rows: readonly CallRow[]): boolean {
  return rows.every((row, at) => at === 0 || row.seq > (rows[at - 1]?.seq ?? 0));
}

/** The position of the first row that has this seq or a later one. */
export function firstAtLeast(rows: readonly CallRow[], seq: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.seq ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
