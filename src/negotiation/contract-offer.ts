import type { DialectId } from "../contract/dialect-id.ts";
import type { Flags } from "../gates/define-flags.ts";

/** Tokens a result may cost, or no limit at all. */
export type BudgetTokens = number | "off";

/** What one source wants; what it leaves out, the next source decides. */
export interface ContractChoice {
  readonly dialect?: DialectId | undefined;
  readonly profile?: string | undefined;
  readonly budgetTokens?: BudgetTokens | undefined;
}

/** What a server, or one of its tools, lets a client choose. Its own defaults are always among it. */
export interface ContractOffer {
  /** Only the default unless given. */
  readonly dialects?: readonly DialectId[] | undefined;
  /** `minimal` and `standard` unless given; `debug` is never a client's to choose. */
  readonly profiles?: readonly string[] | undefined;
  readonly defaultDialect?: DialectId | undefined;
  readonly defaultProfile?: string | undefined;
  /** The highest budget a client may ask for; no cap unless given. */
  readonly maxBudgetTokens?: number | undefined;
  /** Whether a client may ask for `budget_tokens: "off"`. */
  readonly allowBudgetOff?: boolean | undefined;
  readonly features?: Readonly<Record<string, boolean>> | undefined;
  /** Whether the connection can remember what was negotiated. */
  readonly sticky?: boolean | undefined;
  /** Decide on features not listed above, and on `response_contract_v2`. */
  readonly flags?: Flags | undefined;
  /** Whose flags are meant. */
  readonly client?: string | undefined;
}
