import { type DialectChoice, type DialectId, askableUnder } from "../../../core/contract/dialect-id.ts";
import { readMark } from "../../../core/contract/contract-mark.ts";
import { defaultProfileOf } from "../../../core/contract/profile.ts";
import { profileNames } from "../../../core/contract/choices.ts";
import type { WarningDetail } from "../../../core/contract/warning.ts";
import { legacyDialect } from "../flags-and-tiers/define-flags.ts";
import {
  type BudgetTokens,
  type ContractOffer,
  type ContractSource,
  type ContractSources,
  type DecidedOffer,
  clientSources,
  serverChoice,
} from "./contract-offer.ts";
import {
  type Grant,
  grantBudget,
  grantDialect,
  grantProfile,
  type AskedSettings,
  readAsked,
} from "./grant.ts";

export interface ResolvedContract {
  readonly dialect: DialectChoice;
  readonly profile: string;
  /** Undefined if no source sets a budget. */
  readonly budgetTokens: BudgetTokens | undefined;
  readonly source: Readonly<Record<"dialect" | "profile" | "budgetTokens", ContractSource>>;
  /** What a client asked for and did not get. */
  readonly warnings: readonly WarningDetail[];
}

type ClientWish = AskedSettings & { readonly source: ContractSource };

/** The default, which the flag `response_contract_v2` can turn off. */
const DEFAULT_DIALECT: DialectId = "response-v2";

/** The strongest wish that is granted; weaker ones are not considered. */
function firstGranted<Value>(
  wishes: readonly ClientWish[],
  grant: (asked: AskedSettings) => Grant<Value>,
  warnings: WarningDetail[],
): DecidedOffer<Value> | undefined {
  for (const wish of wishes) {
    const { value, warning } = grant(wish);
    if (warning !== undefined) warnings.push(warning);
    if (value !== undefined) return { value, source: wish.source };
  }
  return undefined;
}

/** The offered dialects, the server's own first; the flag of response-v2 can replace it by the legacy dialect. */
export function offeredDialects(
  own: DialectChoice,
  { dialects = [], flags, client }: ContractOffer,
): { readonly dialects: readonly DialectChoice[]; readonly isLegacy: boolean } {
  const offered = new Set<DialectChoice>([...askableUnder(own), ...dialects]);
  const isAffected = flags !== undefined && offered.has(DEFAULT_DIALECT);
  const legacy = isAffected ? legacyDialect(flags, client) : undefined;
  const current = (choice: DialectChoice): DialectChoice =>
    askableUnder(choice).includes(DEFAULT_DIALECT) ? (legacy ?? choice) : choice;
  return { dialects: [...new Set([...offered].map(current))], isLegacy: legacy !== undefined };
}

function decideDialect(
  wishes: readonly ClientWish[],
  sources: ContractSources,
  offer: ContractOffer,
  warnings: WarningDetail[],
): DecidedOffer<DialectChoice> {
  const fallback: DecidedOffer<DialectChoice> = {
    value: offer.defaultDialect ?? DEFAULT_DIALECT,
    source: "default",
  };
  const server = serverChoice("dialect", sources) ?? fallback;
  const { dialects: allowed } = offeredDialects(server.value, offer);
  const granted = firstGranted(wishes, (asked) => grantDialect(asked, allowed), warnings);
  const [value = server.value] = allowed;
  return granted ?? { value, source: value === server.value ? server.source : "flag" };
}

function decideProfile(
  wishes: readonly ClientWish[],
  sources: ContractSources,
  offer: ContractOffer,
  dialect: DialectChoice,
  warnings: WarningDetail[],
): DecidedOffer<string> {
  const fallback = { value: offer.defaultProfile ?? defaultProfileOf(dialect), source: "default" } as const;
  const server = serverChoice("profile", sources) ?? fallback;
  const open = (offer.profiles ?? profileNames).filter((name) => name !== "debug");
  const allowed = [...new Set([...open, server.value])];
  return firstGranted(wishes, (asked) => grantProfile(asked, allowed), warnings) ?? server;
}

/** The dialect, profile and budget of a call, the source that decided each, and what a client was refused. */
export function resolveContract(sources: ContractSources, offer: ContractOffer = {}): ResolvedContract {
  const warnings: WarningDetail[] = [];
  // A request may repeat the mark from a result, which has a short form.
  const said = { ...sources, request: readMark(sources.request) };
  const wishes = clientSources.map((source) => ({ source, ...readAsked(said[source]) }));
  const dialect = decideDialect(wishes, sources, offer, warnings);
  const profile = decideProfile(wishes, sources, offer, dialect.value, warnings);
  const budget =
    firstGranted(wishes, (asked) => grantBudget(asked, offer), warnings) ??
    serverChoice("budgetTokens", sources);
  return {
    dialect: dialect.value,
    profile: profile.value,
    budgetTokens: budget?.value,
    source: { dialect: dialect.source, profile: profile.source, budgetTokens: budget?.source ?? "default" },
    warnings,
  };
}
