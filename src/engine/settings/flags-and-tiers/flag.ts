export const flagStates = ["experimental", "beta", "stable", "deprecated"] as const;
export type FlagState = (typeof flagStates)[number];

/** What can decide a flag, in the order in which it is asked. */
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
  /** ISO 8601; from then on only the default counts. */
  readonly expires?: string | undefined;
  /** Share of clients, 0 to 100 whole percent, for whom the flag is on; decides in place of the default. */
  readonly percentage?: number | undefined;
  /** When given, nobody else can have the flag; it narrows, and does not switch on. */
  readonly allow?: readonly string[] | undefined;
  /** Clients who never have the flag, whatever `allow` says. */
  readonly block?: readonly string[] | undefined;
  /** Flags that must be on too. */
  readonly requires?: readonly string[] | undefined;
  /** ISO 8601; when what the flag's other side offers goes away. */
  readonly sunset?: string | undefined;
}

export interface FlagContext {
  /** Who asks; without it the flag is evaluated for `anonymous`. */
  readonly client?: string | undefined;
}

/** A verdict and what decided it; `flag` is absent when the name is unknown. */
export interface FlagVerdict {
  readonly enabled: boolean;
  readonly reason: FlagReason;
  readonly flag?: FlagDefinition;
}

export type FlagOverrides = Readonly<Record<string, boolean>>;

export const ANONYMOUS = "anonymous";
