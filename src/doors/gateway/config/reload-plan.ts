import { isDeepStrictEqual } from "node:util";
import type { UpstreamOptions } from "../gateway-options.ts";

type Upstreams = Readonly<Record<string, UpstreamOptions>>;

/** What a changed file requires. A server of which only the policy changed is in no list: it keeps running. */
export interface ReloadPlan {
  readonly added: readonly string[];
  /** The server is reached differently, or by other callers: it is replaced. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

const has = (upstreams: Upstreams, name: string): boolean => Object.hasOwn(upstreams, name);

export function planReload(before: Upstreams, after: Upstreams): ReloadPlan {
  const names = Object.keys(after);
  return {
    added: names.filter((name) => !has(before, name)),
    changed: names.filter((name) => has(before, name) && !isDeepStrictEqual(before[name], after[name])),
    removed: Object.keys(before).filter((name) => !has(after, name)),
  };
}
