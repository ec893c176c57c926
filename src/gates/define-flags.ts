import { faults } from "../contract/faults.ts";
import { checkFlags } from "./check-flags.ts";
import { type FlagRules, evaluateFlag } from "./evaluate-flag.ts";
import type { FlagContext, FlagDefinition, FlagOverrides, FlagVerdict } from "./flag.ts";

export interface DeprecationNotice {
  readonly flag: string;
  readonly sunset: string | undefined;
}

export interface FlagOptions {
  /** Beats every rule of the definition, for everybody. */
  readonly overrides?: FlagOverrides | undefined;
  /** By client, then by flag; beats `overrides`. */
  readonly clientOverrides?: Readonly<Record<string, FlagOverrides>> | undefined;
  readonly now?: (() => Date) | undefined;
  /** Called on each use of something that a flag keeps alive past its time. */
  readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

/** Feature flags that say what decided. */
export interface Flags {
  readonly evaluate: (name: string, context?: FlagContext) => FlagVerdict;
  readonly isEnabled: (name: string, context?: FlagContext) => boolean;
  /** Throws FEATURE_DISABLED with the reason when the flag is off. */
  readonly require: (name: string, context?: FlagContext) => void;
  /** Whether some client may find the flag off: false only where nothing but a default of true decides. */
  readonly canBeOff: (name: string) => boolean;
  readonly list: () => readonly (FlagDefinition & { readonly name: string })[];
  /** A copy with one more override, for everybody or for one client. */
  readonly withOverride: (name: string, enabled: boolean, context?: FlagContext) => Flags;
  /** A copy with definitions changed or added, as configuration does; a new one is off until it says otherwise. */
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

/** Defined everywhere, and open to redefinition: off means the dialect `response-v1`. */
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
 * Feature flags, checked when they are defined and cheap to ask.
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
