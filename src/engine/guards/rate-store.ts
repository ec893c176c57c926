/** What a store says about one key after a call. */
export interface RateTake {
  readonly taken: boolean;
  /** Cost units taken in the running window. */
  readonly used: number;
  /** Until the window ends; the whole period where none is running. */
  readonly resetMs: number;
}

/** Counts cost units a key and window. Memory serves one process; many processes share a store of their own. */
export interface RateStore {
  /** Takes all of `cost` or nothing, and never lets a window hold more than the limit. */
  take(key: string, cost: number): Promise<RateTake>;
}
