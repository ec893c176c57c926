// How many servers and entries: `wrap`, `unwrap` and `wrap --status` count in the same units.

import type { PlannedChange } from "../../doors/gateway/wrap/plan-change.ts";
import { countOf } from "../output/format-values.ts";

/** `1 entry in place of 4 servers`. */
export function sayMerged(entries: number, servers: number): string {
  return `${countOf(entries, "entry", "entries")} in place of ${countOf(servers, "server")}`;
}

/** What was done to a file. */
export function sayDone({ outcomes, mergedInto }: PlannedChange, verb: "wrap" | "unwrap"): string {
  const changed = outcomes.filter(({ state }) => state === verb);
  if (mergedInto !== undefined) {
    const before = outcomes.flatMap(({ state, servers = [] }) => (state === "wrapped" ? servers : []));
    return sayMerged(mergedInto, before.length + changed.length);
  }
  const merged = changed.flatMap(({ servers }) => (servers === undefined ? [] : [servers.length]));
  const single = changed.length - merged.length;
  const behind = merged.reduce((sum, servers) => sum + servers, 0);
  const back = `${countOf(behind, "server")} back in place of ${countOf(merged.length, "entry", "entries")}`;
  const alone = `${countOf(single, "server")} ${verb}ped`;
  if (merged.length === 0) return alone;
  return single === 0 ? back : `${back}, ${alone}`;
}
