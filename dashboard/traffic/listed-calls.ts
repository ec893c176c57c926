// The calls that pass the filter. New calls are only looked at once: at 100,000 rows looking at all of them four times
// a second would be felt.

import type { CallRow } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { type CallList, firstAtLeast } from "../live/call-list.ts";
import { type CallFilter, matcher } from "./call-filter.ts";

export class ListedCalls {
  #filter: CallFilter | undefined;
  #matches: (row: CallRow) => boolean = () => true;
  #revision = -1;
  #seen = 0;
  #rows: CallRow[] = [];

  /** The rows that pass, oldest first. Call it again after every change. */
  update(list: CallList, filter: CallFilter): readonly CallRow[] {
    const isSame = this.#filter !== undefined && sameFilter(this.#filter, filter);
    if (!isSame || this.#revision !== list.revision) {
      if (!isSame) this.#matches = matcher(filter);
      this.#filter = filter;
      this.#revision = list.revision;
      this.#rows = [];
      this.#seen = 0;
    }
    const { rows } = list;
    for (; this.#seen < rows.length; this.#seen += 1) {
      const row = rows[this.#seen];
      if (row !== undefined && this.#matches(row)) this.#rows.push(row);
    }
    return this.#rows;
  }
}

function sameFilter(one: CallFilter, other: CallFilter): boolean {
  return (Object.keys(one) as (keyof CallFilter)[]).every((key) => one[key] === other[key]);
}

/** How many of the rows are shown while the list is held at a call: those that came after wait. */
export function countUpTo(rows: readonly CallRow[], heldAt: number | undefined): number {
  return heldAt === undefined ? rows.length : firstAtLeast(rows, heldAt + 1);
}
