import { type DialectChoice, askableUnder } from "../../core/contract/dialect-id.ts";
import { DEFAULT_PROFILE, defaultProfileOf } from "../../core/contract/profile.ts";
import {
  type DecidedSettings,
  type Pinnable,
  type Settings,
  type ToolOverride,
  type ToolPath,
  defaultSettings,
} from "./settings.ts";
import { formatPath } from "../../core/options/explain-issues.ts";
import {
  type Decided,
  type LayerOrigin,
  type SettingLayer,
  type Voices,
  strongest,
} from "./setting-layers.ts";
import { type ToolLeaf, toolLeaves, valueAt, withValue, leavesIn } from "./table-leaves.ts";
import type { BareCuts } from "./table-types.ts";
import type { SettingTable } from "./table.ts";
import type { Options } from "./table-types.ts";
import { isJsonObject, withoutUndefined } from "../../core/json/json-value.ts";
import type { ContractOptions } from "./contract-options.ts";
import type { ToolConfig } from "./tool-definition.ts";

/** Marks the config of an upstream server's tool: by default, its results are left as they are. */
const foreign = Symbol("a tool of another server");

export function ofForeignTool(config: ToolConfig): ToolConfig {
  return { ...config, [foreign]: true } as ToolConfig;
}

function isForeign(config: ToolConfig): boolean {
  return foreign in config;
}

/** Defaults for tools of an upstream server; options, file and environment come first. */
const foreignDefaults: CodeSettings = { dialect: "auto" };

/** The defaults of the door through which a tool is called. */
export function doorOf(config: ToolConfig, door: CodeSettings): CodeSettings {
  return isForeign(config) ? { ...foreignDefaults, ...door } : door;
}

/** Widgets are written for their tool's own data: inside an envelope they would show nothing. */
function isWidget({ _meta: meta }: ToolConfig): boolean {
  if (meta === undefined) return false;
  const ui = meta["ui"];
  return meta["openai/outputTemplate"] !== undefined || (isJsonObject(ui) && ui["resourceUri"] !== undefined);
}

/** A tool's own config, completed by the contract's `toolSettings`. */
export function withToolSettings(options: ContractOptions, name: string, config: ToolConfig): ToolConfig {
  const { toolSettings = {} } = options;
  const given = Object.hasOwn(toolSettings, name) ? toolSettings[name] : undefined;
  if (given === undefined) return config;
  const own = withoutUndefined(config);
  const budget = { ...given.budget, ...config.budget };
  return { ...given, ...own, ...(given.budget === undefined ? {} : { budget }) };
}

/** The settings that code gives a tool, layer by layer. */
export function codeLayersOf(options: ContractOptions, config: ToolConfig, door: CodeSettings): CodeLayers {
  return {
    tool: config,
    isWidget: isWidget(config),
    contract: options,
    door,
  };
}

/** Every key in code that a tool contract depends on: the settings of the table, and two options. */
const relevantKeys: readonly (keyof ToolConfig)[] = [
  ...(leavesIn("tool").map(({ names: [name] }) => name) as (keyof ToolConfig)[]),
  "version",
  "waybillArgument",
];

function same(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  const [from, to] = [left, right] as [Record<string, unknown>, Record<string, unknown>];
  return keys.every((key) => from[key] === to[key]);
}

/** Whether two config objects have the same settings: factories make new objects for every request. */
export function sayTheSame(left: ToolConfig, right: ToolConfig): boolean {
  if (left === right) return true;
  if (isForeign(left) !== isForeign(right) || isWidget(left) !== isWidget(right)) return false;
  return relevantKeys.every((key) => same(left[key], right[key]));
}

/** The settings that code gives all tools: of a contract, or as defaults of a door. */
export type CodeSettings = Options<SettingTable, "contract">;

/** The settings that code gives a tool. */
export interface CodeLayers {
  readonly tool?: Options<SettingTable, "tool">;
  /**
   * Widgets read their tool's own data, so their tools are plain and uncut unless the tool's own setting says
   * otherwise.
   */
  readonly isWidget?: boolean;
  readonly contract?: CodeSettings;
  readonly door?: CodeSettings;
}

/** What the shape stage removes from a tool's data, before the profile's own fields. */
export interface FilterLists {
  readonly includeOnly: readonly string[];
  readonly exclude: readonly string[];
  readonly includeOnError: readonly string[];
  readonly excludeWhenTier: Readonly<Record<string, readonly string[]>>;
  readonly dropEmptyArrays: boolean;
  readonly dropEmptyObjects: boolean;
  readonly dropNulls: boolean;
}

export type ToolOrigins = Readonly<Record<ToolPath | "filter", LayerOrigin>>;

/** The settings of one tool, decided from all layers. */
export interface ToolDecisions extends Omit<DecidedSettings, "profile"> {
  /** The dialects that a request may choose; the tool's own comes first. */
  readonly dialects: readonly DialectChoice[];
  /** Undefined: the dialect's own default. */
  readonly profile: string | undefined;
  readonly filter: FilterLists;
  /** Beginnings of texts that report a failure without a mark; undefined if none are known. */
  readonly failureStarts: readonly string[] | undefined;
  readonly origins: ToolOrigins;
}

function layerOf({ origins = {}, pinned }: Settings, path: string, isDefault: boolean): SettingLayer {
  const source = Object.hasOwn(origins, path) ? origins[path]?.source : undefined;
  if (source === "page" || source === "command-line" || source === "environment") return source;
  if (pinned.includes(path as Pinnable)) return "environment";
  // Settings made by hand have no origins: a value that differs from the default was chosen.
  return (source === undefined || source === "default") && isDefault ? "default" : "file";
}

/** One general setting, with the layer it comes from. */
function generalVoice<Value>(
  settings: Settings,
  path: string,
  value: Value,
  byDefault: Value,
): Voices<Value> {
  const layer = layerOf(settings, path, value === byDefault);
  return layer === "default" ? { default: value } : { [layer]: value, default: byDefault };
}

/** Decides settings that exist only in general, such as whether results without an envelope may be cut. */
export function decideGeneral<Value>(
  settings: Settings,
  path: string,
  value: Value,
  byDefault: Value,
  code: Value | undefined,
): Value {
  return strongest({ ...generalVoice(settings, path, value, byDefault), code })?.value ?? value;
}

export function decideBareCuts(settings: Settings, code: BareCuts | undefined): BareCuts {
  const { withoutEnvelope } = settings.fit;
  const byDefault = defaultSettings.fit.withoutEnvelope;
  return decideGeneral(settings, "fit.without_envelope", withoutEnvelope, byDefault, code);
}

class ToolLayers {
  readonly #settings: Settings;
  readonly #name: string;
  readonly #code: CodeLayers;
  readonly file: ToolOverride | undefined;

  constructor(settings: Settings, name: string, code: CodeLayers) {
    this.#settings = settings;
    this.#name = name;
    this.#code = code;
    this.file = Object.hasOwn(settings.tools, name) ? settings.tools[name] : undefined;
  }

  hear(
    { names, generalNames }: ToolLeaf,
    general: Voices<unknown>,
    widget?: unknown,
  ): Decided<unknown> | undefined {
    const { tool, contract, door, isWidget } = this.#code;
    return strongest<unknown>({
      ...general,
      "page-tool": valueAt(this.file?.page, names),
      "file-tool": valueAt(this.file, names),
      "code-tool": valueAt(tool, names),
      widget: isWidget === true ? widget : undefined,
      code: valueAt(contract, generalNames),
      door: valueAt(door, generalNames),
    });
  }

  /** Where the deciding layer sets the setting: `path` in general, `key` below a tool. */
  origin(layer: SettingLayer, path: string, key: string): LayerOrigin {
    const { origins = {} } = this.#settings;
    const at = layer === "file-tool" ? this.pathOf(key) : path;
    const isWritten = layer === "file-tool" || layer === "file" || layer === "environment";
    return { source: layer, where: isWritten && Object.hasOwn(origins, at) ? origins[at]?.where : undefined };
  }

  pathOf(key: string): string {
    return formatPath(["tools", this.#name, ...key.split(".")]);
  }

  /** A list counts as set if it has entries, or if a file sets it to an empty list. */
  isSaid(key: string, list: readonly string[] | undefined): boolean {
    if (list === undefined) return false;
    return list.length > 0 || Object.hasOwn(this.#settings.origins ?? {}, this.pathOf(key));
  }
}

function decideFilter(
  layers: ToolLayers,
  settings: Settings,
  { tool = {} }: CodeLayers,
): { readonly filter: FilterLists; readonly origin: LayerOrigin } {
  const { file } = layers;
  const isFile = (key: string, list: readonly string[] | undefined): boolean => layers.isSaid(key, list);
  const fromFile = {
    includeOnly: isFile("include_only", file?.includeOnly),
    exclude: isFile("exclude", file?.exclude),
  };
  const filter: FilterLists = {
    includeOnly: (fromFile.includeOnly ? file?.includeOnly : tool.includeOnly) ?? [],
    exclude: (fromFile.exclude ? file?.exclude : tool.exclude) ?? [],
    includeOnError: file?.includeOnError ?? [],
    excludeWhenTier: file?.excludeWhenTier ?? {},
    dropEmptyArrays: settings.excludeEmptyArrays,
    dropEmptyObjects: settings.excludeEmptyObjects,
    dropNulls: settings.excludeNullValues,
  };
  const ofTool = fromFile.includeOnly ? "include_only" : fromFile.exclude ? "exclude" : undefined;
  if (ofTool !== undefined) return { filter, origin: layers.origin("file-tool", ofTool, ofTool) };
  if (Object.keys(filter.excludeWhenTier).length > 0) return { filter, origin: { source: "file-tool" } };
  if (tool.includeOnly !== undefined || tool.exclude !== undefined)
    return { filter, origin: { source: "code-tool" } };
  const drops = {
    empty_arrays: filter.dropEmptyArrays,
    empty_objects: filter.dropEmptyObjects,
    null_values: filter.dropNulls,
  };
  const dropped = Object.entries(drops).find(([, isOn]) => isOn)?.[0];
  if (dropped !== undefined) return { filter, origin: layers.origin("file", `exclude_${dropped}`, "") };
  return { filter, origin: { source: "default" } };
}

/** The layers of a setting in general. A profile that was not chosen is the dialect's own, so no layer has it. */
function generalVoices(
  settings: Settings,
  { general: path, generalNames, kind, ...leaf }: ToolLeaf,
): Voices<unknown> {
  const value = valueAt(settings, generalNames);
  if (kind.is !== "profile") return generalVoice(settings, path, value, leaf.default);
  const byDialect = [DEFAULT_PROFILE, defaultProfileOf(settings.dialect)];
  const isOwn = !settings.profileIsDefault || !byDialect.includes(settings.profile);
  const layer = layerOf(settings, path, !isOwn);
  return layer === "default" ? {} : { [layer]: value };
}

/** Decides the settings of one tool from all layers: precedence is decided only here. */
export function decideTool(settings: Settings, name: string, code: CodeLayers = {}): ToolDecisions {
  const layers = new ToolLayers(settings, name, code);
  let values = {};
  const origins: Record<string, LayerOrigin> = {};
  for (const leaf of toolLeaves) {
    const general = generalVoices(settings, leaf);
    const widget = leaf.path === "dialect" ? widgetDialect(layers.hear(leaf, general)) : leaf.widget;
    const { value, layer = "default" } = layers.hear(leaf, general, widget) ?? {};
    values = withValue(values, leaf.names, value);
    origins[leaf.path] = layers.origin(layer, leaf.general, leaf.path);
  }
  const decided = values as DecidedSettings;
  const { filter, origin } = decideFilter(layers, settings, code);
  const more =
    layers.file?.dialects ?? code.tool?.dialects ?? code.contract?.allow?.dialects ?? settings.allow.dialects;
  return {
    ...decided,
    dialects: [...new Set([...askableUnder(decided.dialect), ...more])],
    filter,
    failureStarts: (layers.file?.failures ?? code.tool?.failures)?.startsWith,
    origins: { ...(origins as Record<ToolPath, LayerOrigin>), filter: origin },
  };
}

/** Widgets are written for their tool's own data; `auto` suits them best, since it can leave the result unchanged. */
function widgetDialect(decided: Decided<unknown> | undefined): DialectChoice {
  return decided?.value === "auto" ? "auto" : "plain";
}
