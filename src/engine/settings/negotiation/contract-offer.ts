import { type SettingLayer, strongest } from "../setting-layers.ts";
import type { DialectChoice } from "../../../core/contract/dialect-id.ts";
import type { Flags } from "../flags-and-tiers/define-flags.ts";

/** The tokens that a result may cost, or no limit. */
export type BudgetTokens = number | "off";

/** What one source wants; the next source decides what it leaves out. */
interface ContractChoice {
  readonly dialect?: DialectChoice | undefined;
  readonly profile?: string | undefined;
  readonly budgetTokens?: BudgetTokens | undefined;
}

/** What a server, or one of its tools, lets a client choose. Its own defaults are always included. */
export interface ContractOffer {
  /** The dialects a client may choose. Default: only the server's own. */
  readonly dialects?: readonly DialectChoice[] | undefined;
  /** The profiles a client may choose, never `debug`. Default: `minimal` and `standard`. */
  readonly profiles?: readonly string[] | undefined;
  readonly defaultDialect?: DialectChoice | undefined;
  readonly defaultProfile?: string | undefined;
  /** The highest budget a client may ask for. Default: no limit. */
  readonly maxBudgetTokens?: number | undefined;
  /** Whether a client may ask for `budget_tokens: "off"`. */
  readonly allowBudgetOff?: boolean | undefined;
  readonly features?: Readonly<Record<string, boolean>> | undefined;
  /** Whether the connection can remember what was negotiated. */
  readonly sticky?: boolean | undefined;
  /** Decide on features not listed above, and on `response_contract_v2`. */
  readonly flags?: Flags | undefined;
  /** The client for whom the flags are evaluated. */
  readonly client?: string | undefined;
}

/** The sources that can decide, strongest first; `flag` means that `response_contract_v2` is off. */
const contractSources = [
  "request",
  "capability",
  "negotiated",
  "scalpel_debug",
  "environment",
  "tool",
  "config",
  "default",
  "flag",
] as const;
export type ContractSource = (typeof contractSources)[number];

/** The sources that come from a client, which the offer limits. */
export const clientSources = ["request", "capability", "negotiated"] as const;

/** The first three come from clients and may be any JSON; the server's own sources are trusted. */
export interface ContractSources {
  /** The request's `_meta["waybill/contract"]`. */
  readonly request?: unknown;
  /** The client capability `extensions["waybill/response-contract"]`. */
  readonly capability?: unknown;
  /** What `negotiate` decided earlier on this connection: its `chosen`. */
  readonly negotiated?: unknown;
  /** Whether `SCALPEL_MCP_INFO` or `SCALPEL_MCP_OUTPUT` is `DEBUG`. */
  readonly scalpelDebug?: boolean | undefined;
  readonly environment?: ContractChoice | undefined;
  readonly tool?: ContractChoice | undefined;
  readonly config?: ContractChoice | undefined;
}

/** A value, and the source that decided it. */
export interface DecidedOffer<Value> {
  readonly value: Value;
  readonly source: ContractSource;
}

/** The layers of these sources, and the name of each in a resolved contract. */
const sourceNames: Partial<Record<SettingLayer, ContractSource>> = {
  "command-line": "scalpel_debug",
  environment: "environment",
  "code-tool": "tool",
  file: "config",
};

/** The choice of the strongest of the server's own sources; the layers have the same order as for every setting. */
export function serverChoice<Key extends keyof ContractChoice>(
  key: Key,
  sources: ContractSources,
): DecidedOffer<NonNullable<ContractChoice[Key]>> | undefined {
  const debug: ContractChoice = sources.scalpelDebug === true ? { profile: "debug" } : {};
  const decided = strongest<NonNullable<ContractChoice[Key]>>({
    // The debug switches beat the rest of the environment.
    "command-line": debug[key] ?? undefined,
    environment: sources.environment?.[key] ?? undefined,
    "code-tool": sources.tool?.[key] ?? undefined,
    file: sources.config?.[key] ?? undefined,
  });
  return decided && { value: decided.value, source: sourceNames[decided.layer] ?? "default" };
}
