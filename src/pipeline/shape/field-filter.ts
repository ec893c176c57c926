/** Which fields of a tool's data are sent. Paths start at `data`: `functions`, `tasks[*].id`, `a.*.b`, `["a.b"]`. */
export interface FieldFilter {
  /** Keeps these paths, whole, and the way to them. An empty list keeps everything. */
  readonly includeOnly?: readonly string[] | undefined;
  /** Removes these paths, whatever else is said. */
  readonly exclude?: readonly string[] | undefined;
  /** Keeps these paths in the data of a failure, even if excluded. */
  readonly includeOnError?: readonly string[] | undefined;
  /** Further exclusions for calls of a tier. */
  readonly excludeWhenTier?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Names (not paths) removed at every depth. */
  readonly excludeFields?: readonly string[] | undefined;
  readonly dropEmptyArrays?: boolean | undefined;
  readonly dropEmptyObjects?: boolean | undefined;
  readonly dropNulls?: boolean | undefined;
}

export interface FilterFacts {
  /** Whether the data belongs to a failure. */
  readonly failed?: boolean | undefined;
  readonly tier?: string | undefined;
}
