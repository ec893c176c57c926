import type { Reader } from "../../core/readers/reader.ts";
import { readerForModel } from "../../core/readers/reader-for-model.ts";
import { programReader, readerChosen, unknownReader } from "../../core/readers/readers.ts";
import { type CodeSettings, codeLayersOf, doorOf, sayTheSame, withToolSettings } from "./decide-tool.ts";
import { type Settings, defaultSettings } from "./settings.ts";
import { FENCE_COST } from "../../core/pipeline/deliver/fence.ts";
import type { Budget, DataEncoding } from "../../core/pipeline/pipeline-context.ts";
import { type Environment, settingsFromEnvironment } from "./read-environment.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { type Profile, defaultProfileOf, profileUnder } from "../../core/contract/profile.ts";
import { type Flags, defineFlags } from "./flags-and-tiers/define-flags.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { markIn } from "../../core/contract/contract-mark.ts";
import { CONTRACT_EXTENSION, RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import { type ResolvedContract, resolveContract } from "./negotiation/resolve-contract.ts";
import type { Log } from "../observe/log-event.ts";
import type { CompiledFilter } from "../../core/pipeline/shape/compile-filter.ts";
import { environment as runtimeEnvironment } from "../runtime/edge-runtime.ts";
import { STORE_OFF } from "../archive/open-store.ts";
import { StartSettings } from "./start-settings.ts";
import type { CallRequest } from "../request/call-request.ts";
import type { ConfigSource, ContractOptions } from "./contract-options.ts";
import type { ToolConfig } from "./tool-definition.ts";
import {
  type AdvertisedTool,
  requiredNames,
  settleAdvertised,
  type ToolContract,
  makeToolContract,
  profileOf,
} from "./tool-contract.ts";
import { type ClientLimit, limitFor, settleBudget } from "./call-budget.ts";
import { logConfig, logNotices } from "./log-config.ts";

/** The contract of one call. */
export interface CallContract extends ResolvedContract {
  readonly tool: ToolContract;
  readonly profileObject: Profile;
  /** Undefined if no field is dropped. */
  readonly filter: CompiledFilter | undefined;
  readonly encoding: DataEncoding;
  /** Results leave out what a model does not need. */
  readonly lean: boolean;
  readonly budget: Budget;
  /** What reads the results, if it is known. */
  readonly reader?: Reader | undefined;
}

/** The parts of a request that can choose a contract. */
export type ContractWish = Pick<CallRequest, "meta" | "capabilities" | "negotiated" | "client">;

export interface ResolverOptions {
  /** The defaults of the door: the weakest layer above the general defaults. */
  readonly doorDefaults?: CodeSettings | undefined;
  readonly environment?: Environment | undefined;
  readonly log?: Log | undefined;
}

interface NamedTool {
  readonly name: string;
  readonly config: ToolConfig;
  /** The name was not listed, so a caller may have made it up. */
  readonly isUnlisted?: boolean | undefined;
}

/** What is computed from the current settings. */
interface Known {
  readonly settings: Settings;
  /** The author's flags with the settings' changes; undefined until they are asked for. */
  flags: Flags | undefined;
  /** By the config, which is its author's object. */
  readonly byConfig: WeakMap<ToolConfig, ToolContract>;
  /** For each name, the latest config with its contract. */
  readonly byName: Map<string, { readonly config: ToolConfig; readonly contract: ToolContract }>;
  /** For each tool, the settings that take effect only after a restart. */
  readonly waiting: Map<string, readonly string[]>;
  isSaid: boolean;
}

/** As many tools as a kept list of a server may have; a server that makes up names must not fill the memory. */
const MAX_NAMES = 20_000;
const noConfig: ToolConfig = Object.freeze({});
const noSources = Object.freeze({});

function keepLatest<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name);
  map.set(name, value);
  const [oldest] = map.keys();
  if (map.size > MAX_NAMES && oldest !== undefined) map.delete(oldest);
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

/** If configuration makes flags contradictory, the flags of the code apply: an edit must not fail calls. */
function changeFlags(flags: Flags, settings: Settings): Flags {
  try {
    return flags.withDefinitions(settings.flags);
  } catch (error) {
    if (ContractError.isInstance(error)) return flags;
    throw error;
  }
}

type KnownReader = Reader | ClientLimit | undefined;

/** What reads the results of a call: the setting decides before the client's name. */
function readerOf({ reader, clientLimits }: ToolContract, clientName: string | undefined): KnownReader {
  return readerChosen(reader) ?? limitFor(clientLimits, clientName);
}

function forModel(known: KnownReader, meta: JsonObject | undefined, isChosen: boolean): KnownReader {
  return known !== undefined && "success" in known ? readerForModel(known, meta, isChosen) : known;
}

/** Grants a request's wish, as far as the tool allows; the tool decides the rest. */
function choose(
  tool: ToolContract,
  sources: { readonly request?: unknown; readonly capability?: unknown; readonly negotiated?: unknown },
  client: string | undefined,
  reader: KnownReader,
): CallContract {
  const { dialect, profile, allow } = tool;
  const isProgram = reader === programReader;
  const contract = resolveContract(
    { ...sources, tool: { dialect, profile } },
    {
      dialects: tool.dialects,
      profiles: allow.profiles,
      defaultDialect: dialect,
      allowBudgetOff: allow.budgetOff,
      maxBudgetTokens: allow.maxBudgetTokens,
      flags: tool.flags,
      client,
    },
  );
  const profileObject = profileUnder(dialect, profileOf(tool, contract.profile));
  const own: Budget = isProgram ? { tokens: "off", bytes: "off" } : tool.budget;
  const asked = { ...own, tokens: contract.budgetTokens ?? own.tokens };
  const budget = settleBudget(asked, reader, tool.untrusted ? FENCE_COST : undefined);
  return {
    ...contract,
    tool,
    budget,
    warnings: budget.warnings.length === 0 ? contract.warnings : [...contract.warnings, ...budget.warnings],
    profileObject,
    filter: tool.filterFor(profileObject),
    encoding: isProgram ? "json" : tool.encoding,
    lean: !isProgram && tool.lean,
    reader: reader !== undefined && "success" in reader ? reader : undefined,
  };
}

/** Turns layers of settings into one contract for each tool, and a request into one contract for each call. */
export class SettingsResolver {
  /**
   * Applies the dashboard's changes to settings. Returns the same object for the same settings, because
   * contracts are cached by it.
   */
  overlay: (settings: Settings) => Settings = (settings) => settings;
  readonly #options: ContractOptions;
  readonly #door: CodeSettings;
  readonly #fixed: Settings;
  readonly #log: Log | undefined;
  readonly #advertised = new Map<string, AdvertisedTool>();
  readonly #seen = new Map<string, ToolConfig>();
  #known: Known | undefined;
  /** By the config, which is its author's object. */
  readonly #merged = new WeakMap<ToolConfig, NamedTool>();
  /** For each tool, by the limit of the calling client. */
  readonly #prepared = new WeakMap<ToolContract, Map<KnownReader, CallContract>>();
  #lastReader:
    | { readonly tool: ToolContract; readonly client: string | undefined; readonly reader: KnownReader }
    | undefined;

  /** Reads the environment once, if no configuration was given; a bad value is an INVALID_CONFIG error. */
  constructor(
    options: ContractOptions,
    { doorDefaults = {}, environment = runtimeEnvironment(), log }: ResolverOptions = {},
  ) {
    this.#options = options;
    this.#door = doorDefaults;
    const { config } = options;
    const { settings, notices } =
      config === undefined
        ? settingsFromEnvironment(environment)
        : { settings: defaultSettings, notices: [] };
    this.#fixed = settings;
    this.#log = log;
    if (log === undefined) return;
    logNotices(notices, log);
    if (config !== undefined) {
      const atStart = new StartSettings(log, this.retrieveName, this.settings.store);
      const onReload = (): void => {
        this.#applyToAdvertised();
        atStart.changed(this.retrieveName, this.settings.store);
      };
      logConfig(config, log, { proposes: options.dialect === undefined, onReload });
    }
  }

  get settings(): Settings {
    const { config } = this.#options;
    return this.overlay(config === undefined ? this.#fixed : settingsOf(config));
  }

  /** The author's flags, with the configuration's changes. */
  get flags(): Flags | undefined {
    const known = this.#knownNow();
    const { flags } = this.#options;
    if (known.flags !== undefined || Object.keys(known.settings.flags).length === 0)
      return known.flags ?? flags;
    known.flags = changeFlags(flags ?? defineFlags({}), known.settings);
    return known.flags;
  }

  /** The contract of a tool without settings of its own. */
  get general(): ToolContract {
    return this.toolContract({ name: "", config: noConfig });
  }

  /** Where cut content is kept, by the command line, then code, then configuration. */
  get store(): ContractOptions["store"] {
    const { store, origins = {} } = this.settings;
    const given = origins["store.place"]?.source === "command-line" ? undefined : this.#options.store;
    const chosen = given ?? store?.place;
    return chosen === STORE_OFF ? false : chosen;
  }

  /** The name of the retrieval tool, by file and command line, then code, then the door. */
  get retrieveName(): string {
    const said = [this.settings, this.#options, this.#door].map(({ retrieve }) => retrieve?.name);
    return said.find((name) => name !== undefined) ?? RETRIEVE_TOOL;
  }

  /** Whether secrets of successes are masked too, by the command line, then code or the upstream, then the file. */
  get masksSuccesses(): boolean {
    const { redact, origins = {} } = this.settings;
    const { redact: given } = this.#options;
    if (origins["redact.successes"]?.source === "command-line") return redact.successes;
    const code = typeof given === "object" ? given.successes : given === false ? false : undefined;
    return code ?? redact.successes;
  }

  /** Whether server objects get the tool `server`, by configuration, else by code. */
  get serverTool(): boolean {
    const { serverTool, origins = {} } = this.settings;
    return origins["server_tool"] === undefined ? (this.#options.serverTool ?? serverTool) : serverTool;
  }

  /** The settings that code gives a tool: its own config over the contract's `toolSettings`. Guards read it too. */
  codeOf({ name, config }: NamedTool): ToolConfig {
    if (this.#options.toolSettings === undefined) return config;
    const known = this.#merged.get(config);
    if (known?.name === name) return known.config;
    const merged = withToolSettings(this.#options, name, config);
    this.#merged.set(config, { name, config: merged });
    return merged;
  }

  /** The contract of a tool under the current settings, made once. */
  toolContract(tool: NamedTool): ToolContract {
    const known = this.#knownNow();
    const own = known.byConfig.get(tool.config);
    if (own !== undefined && own.name === tool.name) return own;
    const named = known.byName.get(tool.name);
    if (named !== undefined && sayTheSame(named.config, tool.config)) {
      // The tool may have been called before it was listed.
      if (!this.#seen.has(tool.name)) this.#see(tool);
      return named.contract;
    }
    const contract = this.#make(tool);
    known.byConfig.set(tool.config, contract);
    keepLatest(known.byName, tool.name, { config: tool.config, contract });
    this.#see(tool);
    if (known.waiting.size > 0) this.#sayWaiting(known);
    return contract;
  }

  #see({ name, config, isUnlisted }: NamedTool): void {
    if (isUnlisted !== true) keepLatest(this.#seen, name, config);
  }

  /** The contract of a tool that was requested before, by its name. */
  known(name: string): ToolContract | undefined {
    const config = this.#seen.get(name);
    return config && this.toolContract({ name, config });
  }

  /** The tools that were requested before. */
  names(): readonly string[] {
    return [...this.#seen.keys()].filter((name) => name !== "");
  }

  /** The paths of item ids in the tools that were requested before. */
  idPaths(): readonly string[] {
    const { toolSettings = {}, tools = [] } = this.#options;
    const configs = [...this.#seen].map(([name, config]) => this.codeOf({ name, config }));
    const said = [...configs, ...Object.values(toolSettings), ...tools.map(({ config }) => config)];
    return [...new Set(said.flatMap(({ idPath }) => (idPath === undefined ? [] : [idPath])))];
  }

  /** From now on clients rely on this output schema of the tool; a reload keeps its promises. */
  advertise({ name, config }: NamedTool, outputSchema: JsonObject): void {
    const known = this.#advertised.get(name);
    if (known !== undefined && sayTheSame(known.config, config)) return;
    const contract = this.toolContract({ name, config });
    keepLatest(this.#advertised, name, { config, contract, required: requiredNames(outputSchema) });
  }

  /** The contract of one call. A request without a wish gets the contract prepared for its tool. */
  forCall(tool: ToolContract, request: ContractWish, client: string | undefined): CallContract {
    const asked = markIn(request.meta);
    const capability = capabilityOf(request.capabilities);
    const { negotiated } = request;
    const isAsked = asked !== undefined || capability !== undefined || negotiated !== undefined;
    const known = this.#readerOf(tool, request.client);
    const isProgram = isAsked && tool.reader === "auto" && known === unknownReader;
    const reader = isProgram ? undefined : forModel(known, request.meta, tool.reader !== "auto");
    if (isAsked || tool.isPersonal)
      return choose(tool, { request: asked, capability, negotiated }, client, reader);
    const prepared = this.#prepared.get(tool) ?? new Map<KnownReader, CallContract>();
    this.#prepared.set(tool, prepared);
    const ready = prepared.get(reader);
    if (ready !== undefined) return ready;
    const made = choose(tool, noSources, undefined, reader);
    prepared.set(reader, made);
    return made;
  }

  /** Nearly all calls of a process come from one client, whose row is then not searched again. */
  #readerOf(tool: ToolContract, client: string | undefined): KnownReader {
    const last = this.#lastReader;
    if (last !== undefined && last.tool === tool && last.client === client) return last.reader;
    const reader = readerOf(tool, client);
    this.#lastReader = { tool, client, reader };
    return reader;
  }

  #knownNow(): Known {
    const { settings } = this;
    if (this.#known?.settings === settings) return this.#known;
    this.#known = {
      settings,
      flags: undefined,
      byConfig: new WeakMap(),
      byName: new Map(),
      waiting: new Map(),
      isSaid: false,
    };
    return this.#known;
  }

  #make(named: NamedTool): ToolContract {
    const { settings, flags } = this;
    const options = this.#options;
    const tool = this.codeOf(named);
    const layers = codeLayersOf(options, tool, doorOf(named.config, this.#door));
    const made = makeToolContract({ name: named.name, settings, options, flags, tool, layers });
    const advertised = this.#advertised.get(named.name);
    if (advertised === undefined || !sayTheSame(advertised.config, named.config)) return made;
    const { contract, waiting } = settleAdvertised(made, advertised);
    if (waiting.length > 0) this.#knownNow().waiting.set(named.name, waiting);
    return contract;
  }

  /** Logs one line for all tools, once for the same settings. */
  #sayWaiting(known: Known): void {
    if (known.isSaid) return;
    known.isSaid = true;
    this.#applyToAdvertised();
    this.#log?.warn("config-waits-for-restart", {
      tools: Object.fromEntries(known.waiting),
      hint: "Clients hold these tools to the output schema that they were given. Restart the server to apply these settings.",
    });
  }

  #applyToAdvertised(): void {
    for (const [name, { config }] of this.#advertised) this.toolContract({ name, config });
  }
}

/** The contract of a call whose settings cannot be read: the default form. */
export function bareContract(name: string): CallContract {
  const resolver = new SettingsResolver({ config: defaultSettings });
  return resolver.forCall(resolver.toolContract({ name, config: noConfig }), { meta: {} }, undefined);
}

/** The profile of a call that asks for none. */
export function ownProfileOf({ profile, dialect }: ToolContract): string {
  return profile ?? defaultProfileOf(dialect);
}
