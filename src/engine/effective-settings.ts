import { defaultSettings } from "../config/default-settings.ts";
import type { Budget, Settings } from "../config/settings.ts";
import { settingsForTool } from "../config/tool-settings.ts";
import { ContractError } from "../contract/contract-error.ts";
import type { DialectId } from "../contract/dialect-id.ts";
import { type Flags, defineFlags } from "../gates/define-flags.ts";
import { CONTRACT_FLAG } from "../gates/legacy-dialect.ts";
import { type Profile, profileNamed } from "../contract/profile.ts";
import { type ResolvedContract, resolveContract } from "../negotiation/resolve-contract.ts";
import { CONTRACT_EXTENSION, CONTRACT_META_KEY } from "../negotiation/read-asked.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { dialects } from "../pipeline/dialect/dialects.ts";
import { type CompiledFilter, compileFilter } from "../pipeline/shape/compile-filter.ts";
import type { Encoding } from "../pipeline/parcel.ts";
import { settleBudget } from "./call-budget.ts";
import type { CallRequest } from "./call-request.ts";
import type { ConfigSource, ContractOptions } from "./contract-options.ts";
import { type ToolFit, chooseBareCuts, chooseBudget, chooseFit } from "./fit-settings.ts";
import { isWidget } from "./is-widget.ts";
import type { ToolConfig } from "./tool-definition.ts";

/** What one call is answered with. */
export interface CallContract extends ResolvedContract {
  readonly profileObject: Profile;
  readonly filter: CompiledFilter;
  readonly encoding: Encoding;
  readonly budget: Budget;
}

function settingsOf(config: ConfigSource): Settings {
  if ("current" in config) return config.current.settings;
  return "settings" in config ? config.settings : config;
}

function capabilityOf(capabilities: unknown): JsonObject | undefined {
  const extensions = isJsonObject(capabilities) ? capabilities["extensions"] : undefined;
  const asked = isJsonObject(extensions) ? extensions[CONTRACT_EXTENSION] : undefined;
  return isJsonObject(asked) ? asked : undefined;
}

/** Flags that configuration makes contradictory are left as the code has them: a call must not fail for an edit. */
function changeFlags(flags: Flags, settings: Settings): Flags {
  try {
    return flags.withDefinitions(settings.flags);
  } catch (error) {
    if (ContractError.isInstance(error)) return flags;
    throw error;
  }
}

/**
 * The environment decides first, then what is said of the tool (configuration before code), then the general
 * configuration, then the contract's options; a request chooses among what is allowed.
 */
export class EffectiveSettings {
  readonly #options: ContractOptions;
  readonly #flags = new WeakMap<Settings, Flags>();
  readonly #filters = new WeakMap<Settings, Map<string, CompiledFilter>>();

  constructor(options: ContractOptions) {
    this.#options = options;
  }

  get settings(): Settings {
    const { config } = this.#options;
    return config === undefined ? defaultSettings : settingsOf(config);
  }

  /** The author's flags with the configuration's changes laid over them. */
  get flags(): Flags | undefined {
    const { settings } = this;
    const { flags } = this.#options;
    if (Object.keys(settings.flags).length === 0) return flags;
    const known = this.#flags.get(settings) ?? changeFlags(flags ?? defineFlags({}), settings);
    this.#flags.set(settings, known);
    return known;
  }

  dialectOf(name: string, config: ToolConfig): DialectId {
    const { settings } = this;
    const own = Object.hasOwn(settings.tools, name) ? settings.tools[name]?.dialect : undefined;
    const pinned = settings.pinned.includes("dialect") ? settings.dialect : undefined;
    const configured = settings.dialect === defaultSettings.dialect ? undefined : settings.dialect;
    const fallback = isWidget(config) ? "plain" : (configured ?? this.#options.dialect ?? settings.dialect);
    return pinned ?? own ?? config.dialect ?? fallback;
  }

  /** The dialects a request may choose for a tool, its own first: what `tools/list` must allow for. */
  dialectsOf(name: string, config: ToolConfig): readonly DialectId[] {
    const { settings } = this;
    const own = Object.hasOwn(settings.tools, name) ? settings.tools[name]?.dialects : undefined;
    const more = own ?? config.dialects ?? this.#options.allow?.dialects ?? settings.allow.dialects;
    return [...new Set([this.dialectOf(name, config), ...more])];
  }

  /** The dialects a result may really come in: the flag of response-v2 can turn it into the legacy one. */
  advertisedDialectsOf(name: string, config: ToolConfig): readonly DialectId[] {
    const dialects = this.dialectsOf(name, config);
    const canBeLegacy = dialects.includes("response-v2") && this.flags?.canBeOff(CONTRACT_FLAG);
    return canBeLegacy === true ? [...new Set([...dialects, "response-v1" as const])] : dialects;
  }

  encodingOf(name: string, config: ToolConfig): Encoding {
    const { settings } = this;
    const own = Object.hasOwn(settings.tools, name) ? settings.tools[name]?.encoding : undefined;
    const configured = settings.encoding === defaultSettings.encoding ? undefined : settings.encoding;
    const fallback = isWidget(config) ? "json" : (configured ?? this.#options.encoding ?? settings.encoding);
    return own ?? config.encoding ?? fallback;
  }

  /** The budget of a tool before a request has a say. */
  budgetOf(name: string, config: ToolConfig): Budget {
    return chooseBudget(this.settings, this.#options, name, config);
  }

  /** How a tool's results are cut. */
  fitOf(name: string, config: ToolConfig): ToolFit {
    return chooseFit(this.settings, this.#options, name, config);
  }

  /** Whether a result without an envelope may be cut: its structure then goes, so no schema may promise one. */
  mayCutBare(config: ToolConfig, hasSchema: boolean): boolean {
    const mode = chooseBareCuts(this.settings, this.#options);
    return mode !== "never" && !isWidget(config) && (mode === "always" || !hasSchema);
  }

  /** Whether a tool in such a dialect lists no output schema, so that its results can be cut. */
  hidesSchema(name: string, config: ToolConfig): boolean {
    const isBare = this.advertisedDialectsOf(name, config).some(
      (id) => dialects[id].carriesOmissions !== true,
    );
    const { tokens, bytes } = this.budgetOf(name, config);
    const hasBudget = tokens !== "off" || bytes !== "off";
    return (
      isBare && hasBudget && chooseBareCuts(this.settings, this.#options) === "always" && !isWidget(config)
    );
  }

  /** Whether configuration may take fields out of a tool's data, so that none can be promised. */
  isFiltered(name: string): boolean {
    const { settings } = this;
    const { excludeWhenTier, ...rest } = settingsForTool(settings, name).filter;
    // A request may choose its profile, so a list of any of them counts.
    if (Object.values(settings.profiles).some(({ excludeFields }) => excludeFields.length > 0)) return true;
    const lists = Object.values(rest).some((value) =>
      Array.isArray(value) ? value.length > 0 : value === true,
    );
    return lists || Object.keys(excludeWhenTier).length > 0;
  }

  /** Everything a call needs to know about how to answer. */
  forCall(name: string, config: ToolConfig, request: CallRequest, client: string | undefined): CallContract {
    const { settings } = this;
    const options = this.#options;
    const dialect = this.dialectOf(name, config);
    const profile = this.#profileName(name, config);
    const contract = resolveContract(
      {
        request: request.meta[CONTRACT_META_KEY],
        capability: capabilityOf(request.capabilities),
        negotiated: request.negotiated,
        tool: { dialect, ...(profile === undefined ? {} : { profile }) },
      },
      {
        dialects: this.dialectsOf(name, config),
        profiles: options.allow?.profiles ?? settings.allow.profiles,
        defaultDialect: dialect,
        allowBudgetOff: options.allow?.budgetOff ?? settings.allow.budgetOff,
        maxBudgetTokens: options.allow?.maxBudgetTokens ?? settings.allow.maxBudgetTokens,
        flags: this.flags,
        client,
      },
    );
    const profileObject = profileNamed(contract.profile, settings.profiles);
    const own = this.budgetOf(name, config);
    const budget = settleBudget(
      { ...own, tokens: contract.budgetTokens ?? own.tokens },
      request.client,
      settings.fit.clientLimits || (options.fit?.clientLimits ?? false),
    );
    return {
      ...contract,
      budget,
      warnings: [...contract.warnings, ...budget.warnings],
      profileObject,
      filter: this.#filterOf(settings, name, profileObject),
      encoding: this.encodingOf(name, config),
    };
  }

  /** Undefined leaves it to the dialect's own default. */
  #profileName(name: string, config: ToolConfig): string | undefined {
    const { settings } = this;
    const own = Object.hasOwn(settings.tools, name) ? settings.tools[name]?.profile : undefined;
    if (settings.pinned.includes("profile")) return settings.profile;
    const configured = settings.profileIsDefault ? undefined : settings.profile;
    return own ?? config.profile ?? configured ?? this.#options.profile;
  }

  /** The tool's configured filter, with the fields that the call's own profile drops. */
  #filterOf(settings: Settings, name: string, { name: profile, excludeFields }: Profile): CompiledFilter {
    const filters = this.#filters.get(settings) ?? new Map<string, CompiledFilter>();
    this.#filters.set(settings, filters);
    const key = `${profile}\n${name}`;
    const known = filters.get(key);
    if (known !== undefined) return known;
    const filter = compileFilter({ ...settingsForTool(settings, name).filter, excludeFields });
    filters.set(key, filter);
    return filter;
  }
}
