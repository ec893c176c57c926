export const flagStates = ["experimental", "beta", "stable", "deprecated"] as const;
export type FlagState = (typeof flagStates)[number];

/** What can decide a flag, in the order of evaluation. */
export const flagReasons = [
  "client_override",
  "override",
  "unknown",
  "expired",
  "blocked",
  "not_allowed",
  "dependency",
  "percentage",
  "default",
] as const;
export type FlagReason = (typeof flagReasons)[number];

export interface FlagDefinition {
  readonly state: FlagState;
  readonly default: boolean;
  readonly description?: string | undefined;
  readonly owner?: string | undefined;
  /** ISO 8601; from then on only the default applies. */
  readonly expires?: string | undefined;
  /** Share of clients, 0 to 100 whole percent, for whom the flag is on; replaces the default. */
  readonly percentage?: number | undefined;
  /** If given, no other client can have the flag. The list only narrows; it does not switch the flag on. */
  readonly allow?: readonly string[] | undefined;
  /** Clients who never have the flag, even if `allow` names them. */
  readonly block?: readonly string[] | undefined;
  /** Other flags that must be on. */
  readonly requires?: readonly string[] | undefined;
  /** ISO 8601; the date on which the deprecated alternative ends. */
  readonly sunset?: string | undefined;
}

export interface FlagContext {
  /** The client; without it, the flag is evaluated for `anonymous`. */
  readonly client?: string | undefined;
}

/** A verdict and its reason; `flag` is absent if the name is unknown. */
export interface FlagVerdict {
  readonly enabled: boolean;
  readonly reason: FlagReason;
  readonly flag?: FlagDefinition;
}

export type FlagOverrides = Readonly<Record<string, boolean>>;

export const ANONYMOUS = "anonymous";
