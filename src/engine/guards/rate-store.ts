/** What a store says about one key after a call. */
export interface RateTake {
  readonly taken: boolean;
  /** Cost units taken in the running window. */
  readonly used: number;
  /** Until the window ends; the whole period where none is running. */
  readonly resetMs: number;
}

/** Counts cost units for each key and window: in memory for one process, in Redis for several that share it. */
export interface RateStore {
  /** Takes all of `cost` or nothing, and never lets a window hold more than the limit. */
  take(key: string, cost: number): Promise<RateTake>;
}
