import {
  ANONYMOUS,
  type FlagContext,
  type FlagDefinition,
  type FlagOverrides,
  type FlagReason,
  type FlagVerdict,
} from "./flag.ts";

/** A stable number from 0 to 99 for a flag and a client: FNV-1a over UTF-8, then murmur3's finaliser. */
export function flagBucket(flag: string, client: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${flag}:${client}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  // FNV-1a alone spreads its last bytes poorly: clients that differ in a final digit would share a bucket.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % 100;
}

export interface FlagRules {
  readonly flags: ReadonlyMap<string, FlagDefinition>;
  readonly overrides: FlagOverrides;
  readonly clientOverrides: Readonly<Record<string, FlagOverrides>>;
  readonly now: () => Date;
}

function ownOverride(overrides: FlagOverrides | undefined, name: string): boolean | undefined {
  return overrides !== undefined && Object.hasOwn(overrides, name) ? overrides[name] : undefined;
}

function clientOverride(name: string, client: string, rules: FlagRules): boolean | undefined {
  const { clientOverrides } = rules;
  return Object.hasOwn(clientOverrides, client) ? ownOverride(clientOverrides[client], name) : undefined;
}

function judge(
  name: string,
  client: string,
  flag: FlagDefinition,
  rules: FlagRules,
): readonly [boolean, FlagReason] {
  if (flag.expires !== undefined && rules.now().getTime() >= Date.parse(flag.expires))
    return [flag.default, "expired"];
  if (flag.block?.includes(client)) return [false, "blocked"];
  if (flag.allow !== undefined && !flag.allow.includes(client)) return [false, "not_allowed"];
  if (flag.requires?.some((needed) => !evaluateFlag(needed, { client }, rules).enabled))
    return [false, "dependency"];
  // A rollout decides on its own: with a default of false it would otherwise reach nobody.
  if (flag.percentage !== undefined) return [flagBucket(name, client) < flag.percentage, "percentage"];
  return [flag.default, "default"];
}

/** Whether a flag is on for a client, and why. Never throws; an unknown flag is off. */
export function evaluateFlag(name: string, context: FlagContext, rules: FlagRules): FlagVerdict {
  const client = context.client ?? ANONYMOUS;
  const flag = rules.flags.get(name);
  const known = flag === undefined ? {} : { flag };
  const own = clientOverride(name, client, rules);
  if (own !== undefined) return { enabled: own, reason: "client_override", ...known };
  const override = ownOverride(rules.overrides, name);
  if (override !== undefined) return { enabled: override, reason: "override", ...known };
  if (flag === undefined) return { enabled: false, reason: "unknown" };
  const [enabled, reason] = judge(name, client, flag, rules);
  return { enabled, reason, flag };
}
