import type { ContractChoice } from "./contract-offer.ts";

/** Who can decide, the strongest first; `flag` stands for `response_contract_v2` turned off. */
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

/** Those a client speaks through, which the offer limits. */
export const clientSources = ["request", "capability", "negotiated"] as const;

/** The first three come from clients and may be any JSON; the server's own are trusted. */
export interface ContractSources {
  /** The request's `_meta["waybill/contract"]`. */
  readonly request?: unknown;
  /** The client capability `extensions["waybill/response-contract"]`. */
  readonly capability?: unknown;
  /** What `negotiate` settled earlier on this connection: its `chosen`. */
  readonly negotiated?: unknown;
  /** Whether `SCALPEL_MCP_INFO` or `SCALPEL_MCP_OUTPUT` is `DEBUG`. */
  readonly scalpelDebug?: boolean | undefined;
  readonly environment?: ContractChoice | undefined;
  readonly tool?: ContractChoice | undefined;
  readonly config?: ContractChoice | undefined;
}

/** A value and who decided it. */
export interface Decided<Value> {
  readonly value: Value;
  readonly source: ContractSource;
}

/** What the strongest of the server's own sources says. */
export function serverChoice<Key extends keyof ContractChoice>(
  key: Key,
  sources: ContractSources,
): Decided<NonNullable<ContractChoice[Key]>> | undefined {
  const choices: readonly (readonly [ContractSource, ContractChoice | undefined])[] = [
    ["scalpel_debug", sources.scalpelDebug === true ? { profile: "debug" } : undefined],
    ["environment", sources.environment],
    ["tool", sources.tool],
    ["config", sources.config],
  ];
  for (const [source, choice] of choices) {
    const value = choice?.[key];
    if (value !== undefined && value !== null) return { value, source };
  }
  return undefined;
}
