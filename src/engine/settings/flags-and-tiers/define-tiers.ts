import { ContractError } from "../../../core/contract/contract-error.ts";
import { faults } from "../../../core/contract/faults.ts";
import type { UpgradeHint } from "../../../core/contract/outcome.ts";

const DEFAULT_TIER_ORDER = ["community", "pro", "enterprise"] as const;

export interface TierOptions<Context> {
  /** Lowest first: each tier includes the tiers before it. */
  readonly order?: readonly string[] | undefined;
  /** The tier of an unknown caller. Default: the lowest. */
  readonly default?: string | undefined;
  /** The caller's tier; undefined means the default. */
  readonly of?: ((context: Context) => string | undefined) | undefined;
}

/** An ordered list of tiers, and what each tier unlocks. */
export interface Tiers<Context = unknown> {
  readonly order: readonly string[];
  readonly default: string;
  readonly of: (context: Context) => string;
  readonly includes: (current: string, needed: string) => boolean;
  readonly hint: (feature: string, needed: string, reason?: string) => UpgradeHint;
  /** Throws UPGRADE_REQUIRED with an upgrade hint if `current` is below `needed`. */
  readonly require: (feature: string, needed: string, current: string) => void;
  readonly toTier: (value: unknown) => string;
}

function assertOrder(order: readonly string[]): void {
  const names = new Set(order.filter((name) => typeof name === "string" && name.trim() !== ""));
  if (names.size > 0 && names.size === order.length) return;
  throw new ContractError("INVALID_OPTION", "The order of tiers is a list of different names, lowest first.");
}

/**
 * Tiers that gate tools and features; the default order is `community < pro < enterprise`.
 *
 * @example
 * const tiers = defineTiers({ of: (context: Context) => context.licence.tier });
 */
export function defineTiers<Context = unknown>(options: TierOptions<Context> = {}): Tiers<Context> {
  const order = Object.freeze([...(options.order ?? DEFAULT_TIER_ORDER)]);
  assertOrder(order);
  const toTier = (value: unknown): string => {
    const known = order.find((name) => name === value);
    if (known !== undefined) return known;
    const message = `Unknown tier ${JSON.stringify(value) ?? "undefined"}: choose one of ${order.join(" < ")}.`;
    throw new ContractError("INVALID_OPTION", message, { order });
  };
  const fallback = toTier(options.default ?? order[0]);
  const includes = (current: string, needed: string): boolean =>
    order.indexOf(toTier(current)) >= order.indexOf(toTier(needed));
  const hint = (feature: string, needed: string, reason?: string): UpgradeHint => {
    const tier = toTier(needed);
    return { feature, tier, reason: reason ?? `'${feature}' is part of the ${tier} tier.` };
  };
  return Object.freeze({
    order,
    default: fallback,
    of: (context: Context) => toTier(options.of?.(context) ?? fallback),
    includes,
    hint,
    require: (feature: string, needed: string, current: string) => {
      if (includes(current, needed)) return;
      const reason = `'${feature}' is part of the ${needed} tier; this caller has ${current}.`;
      throw faults.upgradeRequired(hint(feature, needed, reason));
    },
    toTier,
  });
}
