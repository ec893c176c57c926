import { ContractError } from "../../../core/contract/contract-error.ts";
import type { DialectId } from "../../../core/contract/dialect-id.ts";
import { faults } from "../../../core/contract/faults.ts";

export const flagStates = ["experimental", "beta", "stable", "deprecated"] as const;
type FlagState = (typeof flagStates)[number];

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
type FlagReason = (typeof flagReasons)[number];

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

interface FlagContext {
  /** The client; without it, the flag is evaluated for `anonymous`. */
  readonly client?: string | undefined;
}

/** A verdict and its reason; `flag` is absent if the name is unknown. */
interface FlagVerdict {
  readonly enabled: boolean;
  readonly reason: FlagReason;
  readonly flag?: FlagDefinition;
}

type FlagOverrides = Readonly<Record<string, boolean>>;

const ANONYMOUS = "anonymous";

type DeclaredFlags = ReadonlyMap<string, FlagDefinition>;

function refuse(name: string, problem: string): never {
  throw new ContractError("INVALID_OPTION", `Flag "${name}" ${problem}`, { flag: name });
}

function isDate(text: string | undefined): boolean {
  return text === undefined || !Number.isNaN(Date.parse(text));
}

function checkFlag(name: string, flag: FlagDefinition, flags: DeclaredFlags): void {
  const { percentage } = flag;
  if (!flagStates.includes(flag.state))
    refuse(name, `has no known state: choose one of ${flagStates.join(", ")}.`);
  if (typeof flag.default !== "boolean") refuse(name, "has no default: say true or false.");
  if (percentage !== undefined && !(Number.isInteger(percentage) && percentage >= 0 && percentage <= 100)) {
    refuse(name, `has the percentage ${percentage}: give a whole number from 0 to 100.`);
  }
  if (!isDate(flag.expires) || !isDate(flag.sunset)) {
    refuse(name, "has a date that cannot be read: write expires and sunset like 2027-01-31.");
  }
  const stranger = flag.requires?.find((needed) => !flags.has(needed));
  if (stranger !== undefined) refuse(name, `requires "${stranger}", which is not defined: define it too.`);
}

function checkCycle(name: string, flags: DeclaredFlags, path: readonly string[], settled: Set<string>): void {
  if (settled.has(name)) return;
  if (path.includes(name)) {
    const circle = [...path.slice(path.indexOf(name)), name].join(" -> ");
    refuse(name, `requires itself (${circle}): remove one of these requirements.`);
  }
  for (const needed of flags.get(name)?.requires ?? []) checkCycle(needed, flags, [...path, name], settled);
  settled.add(name);
}

/** Refuses definitions that could not be evaluated: bad values, unknown requirements, cycles. */
function checkFlags(flags: DeclaredFlags): void {
  for (const [name, flag] of flags) checkFlag(name, flag, flags);
  const settled = new Set<string>();
  for (const name of flags.keys()) checkCycle(name, flags, [], settled);
}

export interface DeprecationNotice {
  readonly flag: string;
  readonly sunset: string | undefined;
}

export interface FlagOptions {
  /** Beats every rule of the definition, for all clients. */
  readonly overrides?: FlagOverrides | undefined;
  /** By client, then by flag; beats `overrides`. */
  readonly clientOverrides?: Readonly<Record<string, FlagOverrides>> | undefined;
  readonly now?: (() => Date) | undefined;
  /** Called for each use of something that a flag keeps alive past its end date. */
  readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

/** Feature flags, each verdict with its reason. */
export interface Flags {
  readonly evaluate: (name: string, context?: FlagContext) => FlagVerdict;
  readonly isEnabled: (name: string, context?: FlagContext) => boolean;
  /** Throws FEATURE_DISABLED with the reason if the flag is off. */
  readonly require: (name: string, context?: FlagContext) => void;
  /** Whether the flag may be off for some client: false only if a default of true decides alone. */
  readonly canBeOff: (name: string) => boolean;
  readonly list: () => readonly (FlagDefinition & { readonly name: string })[];
  /** A copy with one more override, for all clients or for one. */
  readonly withOverride: (name: string, enabled: boolean, context?: FlagContext) => Flags;
  /** A copy with definitions changed or added, as configuration does; a new flag is off by default. */
  readonly withDefinitions: (changes: Readonly<Record<string, Partial<FlagDefinition>>>) => Flags;
  readonly onDeprecation: ((notice: DeprecationNotice) => void) | undefined;
}

/** Rules that can decide against a default of true. */
const narrowing = ["percentage", "allow", "block", "requires"] as const;

function canBeOff(name: string, { flags, overrides, clientOverrides }: FlagRules): boolean {
  if (Object.values(clientOverrides).some((own) => Object.hasOwn(own, name) && own[name] === false))
    return true;
  if (Object.hasOwn(overrides, name)) return overrides[name] === false;
  const flag = flags.get(name);
  return flag?.default !== true || narrowing.some((rule) => flag[rule] !== undefined);
}

/** Always defined, and may be redefined: off means the dialect `response-v1`. */
const predefinedFlags = {
  response_contract_v2: {
    state: "stable",
    default: true,
    description: "Answer in the response-v2 envelope; off means the deprecated response-v1.",
    sunset: "2027-12-31",
  },
} as const satisfies Record<string, FlagDefinition>;

function withOverrideOf(options: FlagOptions, name: string, enabled: boolean, client?: string): FlagOptions {
  if (client === undefined) return { ...options, overrides: { ...options.overrides, [name]: enabled } };
  const all = { ...options.clientOverrides };
  const own = Object.hasOwn(all, client) ? all[client] : {};
  return { ...options, clientOverrides: { ...all, [client]: { ...own, [name]: enabled } } };
}

/**
 * Feature flags, checked when they are defined and cheap to evaluate.
 *
 * @example
 * const flags = defineFlags({ fast_search: { state: "beta", default: false, percentage: 20 } });
 * flags.evaluate("fast_search", { client: "acme" }); // { enabled, reason: "percentage", flag }
 */
export function defineFlags(
  definitions: Readonly<Record<string, FlagDefinition>>,
  options: FlagOptions = {},
): Flags {
  const flags = new Map<string, FlagDefinition>(Object.entries({ ...predefinedFlags, ...definitions }));
  checkFlags(flags);
  const rules: FlagRules = {
    flags,
    overrides: options.overrides ?? {},
    clientOverrides: options.clientOverrides ?? {},
    now: options.now ?? (() => new Date()),
  };
  const evaluate = (name: string, context: FlagContext = {}): FlagVerdict =>
    evaluateFlag(name, context, rules);
  return Object.freeze({
    evaluate,
    isEnabled: (name: string, context?: FlagContext) => evaluate(name, context).enabled,
    require: (name: string, context?: FlagContext) => {
      const { enabled, reason } = evaluate(name, context);
      if (!enabled) throw faults.featureDisabled(name, { details: { reason } });
    },
    canBeOff: (name: string) => canBeOff(name, rules),
    list: () => [...flags].map(([name, flag]) => ({ name, ...flag })),
    withOverride: (name: string, enabled: boolean, context: FlagContext = {}) =>
      defineFlags(definitions, withOverrideOf(options, name, enabled, context.client)),
    withDefinitions: (changes: Readonly<Record<string, Partial<FlagDefinition>>>) => {
      const changed = Object.entries(changes).map(([name, change]): [string, FlagDefinition] => {
        const before = flags.get(name) ?? { state: "stable", default: false };
        return [name, { ...before, ...change }];
      });
      return defineFlags({ ...definitions, ...Object.fromEntries(changed) }, options);
    },
    onDeprecation: options.onDeprecation,
  });
}

/** If it is off for a caller, the caller gets answers in the legacy dialect. */
export const CONTRACT_FLAG = "response_contract_v2";

/** The dialect that replaces response-v2 if its flag is off; each such answer is a deprecated use. */
export function legacyDialect(flags: Flags, client?: string): Extract<DialectId, "response-v1"> | undefined {
  const { enabled, flag } = flags.evaluate(CONTRACT_FLAG, { client });
  if (enabled) return undefined;
  flags.onDeprecation?.({ flag: CONTRACT_FLAG, sunset: flag?.sunset });
  return "response-v1";
}

/** A stable number from 0 to 99 for a flag and a client: FNV-1a over UTF-8, then murmur3's finaliser. */
export function flagBucket(flag: string, client: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${flag}:${client}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  // FNV-1a alone spreads its last bytes poorly: clients that differ in a final digit would share a bucket.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % 100;
}

interface FlagRules {
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
  // A percentage replaces the default: with a default of false, a rollout would otherwise reach no client.
  if (flag.percentage !== undefined) return [flagBucket(name, client) < flag.percentage, "percentage"];
  return [flag.default, "default"];
}

/** Whether a flag is on for a client, and why. Never throws; an unknown flag is off. */
function evaluateFlag(name: string, context: FlagContext, rules: FlagRules): FlagVerdict {
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
