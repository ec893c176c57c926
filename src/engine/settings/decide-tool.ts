import { type DialectChoice, type DialectId, askableUnder } from "../../core/contract/dialect-id.ts";
import { DEFAULT_PROFILE, defaultProfileOf } from "../../core/contract/profile.ts";
import type { DeliveryMode, Encoding, FitStrategy } from "../../core/pipeline/parcel.ts";
import {
  type BareCuts,
  type Pinnable,
  type Settings,
  type ToolOverride,
  defaultSettings,
} from "./settings.ts";
import type { Limit } from "../../core/pipeline/parcel.ts";
import { formatPath } from "../../core/options/explain-issues.ts";
import {
  type Decided,
  type LayerOrigin,
  type SettingLayer,
  type Voices,
  strongest,
} from "./setting-layers.ts";

/** The settings that code can have too: for a tool, for a contract, or as defaults of a door. */
export interface CodeSettings {
  readonly dialect?: DialectChoice | undefined;
  readonly profile?: string | undefined;
  readonly delivery?: DeliveryMode | undefined;
  readonly encoding?: Encoding | undefined;
  readonly select?: boolean | undefined;
  readonly repairArguments?: boolean | undefined;
  readonly upstream?: { readonly dialect?: DialectChoice | undefined } | undefined;
  readonly budget?: { readonly tokens?: Limit | undefined; readonly bytes?: Limit | undefined } | undefined;
  readonly strategy?: FitStrategy | undefined;
}

/** The settings that code gives a tool. */
export interface CodeLayers {
  readonly tool?: CodeSettings & {
    readonly dialects?: readonly DialectId[] | undefined;
    readonly includeOnly?: readonly string[] | undefined;
    readonly exclude?: readonly string[] | undefined;
  };
  /**
   * Widgets read their tool's own data, so their tools are plain and uncut unless the tool's own setting says
   * otherwise.
   */
  readonly isWidget?: boolean;
  readonly contract?: CodeSettings;
  readonly door?: CodeSettings;
  /** What code allows requests to choose; it beats the file. */
  readonly allowedDialects?: readonly DialectId[] | undefined;
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

const originKeys = [
  "dialect",
  "profile",
  "budget.tokens",
  "budget.bytes",
  "delivery",
  "encoding",
  "select",
  "repair_arguments",
  "upstream.dialect",
  "strategy",
  "filter",
] as const;
type OriginKey = (typeof originKeys)[number];
export type ToolOrigins = Readonly<Record<OriginKey, LayerOrigin>>;

/** The settings of one tool, decided from all layers. */
export interface ToolDecisions {
  readonly dialect: DialectChoice;
  /** The dialects that a request may choose; the tool's own comes first. */
  readonly dialects: readonly DialectChoice[];
  /** Undefined: the dialect's own default. */
  readonly profile: string | undefined;
  readonly delivery: DeliveryMode;
  readonly encoding: Encoding;
  readonly select: boolean;
  readonly repairArguments: boolean;
  /** The dialect of an upstream server's tool. */
  readonly upstreamDialect: DialectChoice;
  readonly budget: { readonly tokens: Limit; readonly bytes: Limit };
  readonly strategy: FitStrategy;
  readonly filter: FilterLists;
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

  hear<Value>(
    read: (code: CodeSettings) => Value | undefined,
    general: Voices<Value>,
    widget?: Value,
  ): Decided<Value> | undefined {
    const { tool, contract, door, isWidget } = this.#code;
    return strongest<Value>({
      ...general,
      "page-tool": this.file?.page && read(this.file.page),
      "file-tool": this.file && read(this.file),
      "code-tool": tool && read(tool),
      widget: isWidget === true ? widget : undefined,
      code: contract && read(contract),
      door: door && read(door),
    });
  }

  /** Where the deciding layer sets the setting; `key` is the setting's path below a tool, if it differs from `path`. */
  origin(layer: SettingLayer, path: string, key: string = path): LayerOrigin {
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
  if (ofTool !== undefined) return { filter, origin: layers.origin("file-tool", ofTool) };
  if (Object.keys(filter.excludeWhenTier).length > 0) return { filter, origin: { source: "file-tool" } };
  if (tool.includeOnly !== undefined || tool.exclude !== undefined)
    return { filter, origin: { source: "code-tool" } };
  const drops = {
    empty_arrays: filter.dropEmptyArrays,
    empty_objects: filter.dropEmptyObjects,
    null_values: filter.dropNulls,
  };
  const dropped = Object.entries(drops).find(([, isOn]) => isOn)?.[0];
  if (dropped !== undefined) return { filter, origin: layers.origin("file", `exclude_${dropped}`) };
  return { filter, origin: { source: "default" } };
}

/** Decides the settings of one tool from all layers: precedence is decided only here. */
export function decideTool(settings: Settings, name: string, code: CodeLayers = {}): ToolDecisions {
  const layers = new ToolLayers(settings, name, code);
  const { profile, budget, fit } = settings;
  const initial = defaultSettings;
  const say = <Value>(path: string, value: Value, byDefault: Value): Voices<Value> =>
    generalVoice(settings, path, value, byDefault);
  const generalDialect = say<DialectChoice>("dialect", settings.dialect, initial.dialect);
  const dialect = layers.hear<DialectChoice>(
    (from) => from.dialect,
    generalDialect,
    // `auto` suits a widget best: it can leave the result unchanged.
    layers.hear<DialectChoice>((from) => from.dialect, generalDialect)?.value === "auto" ? "auto" : "plain",
  );
  const delivery = layers.hear((from) => from.delivery, say("delivery", settings.delivery, initial.delivery));
  const encoding = layers.hear(
    (from) => from.encoding,
    say("encoding", settings.encoding, initial.encoding),
    "json",
  );
  const select = layers.hear<boolean>(
    (from) => from.select,
    say("select", settings.select, initial.select),
    // A widget shows the tool's own data, and could not use the answer to a question.
    false,
  );
  const repairArguments = layers.hear<boolean>(
    (from) => from.repairArguments,
    say("repair_arguments", settings.repairArguments, initial.repairArguments),
  );
  const upstream = layers.hear<DialectChoice>(
    (from) => from.upstream?.dialect,
    say("upstream.dialect", settings.upstream.dialect, initial.upstream.dialect),
  );
  const tokens = layers.hear<Limit>(
    (from) => from.budget?.tokens,
    say("budget.tokens", budget.tokens, initial.budget.tokens),
    "off",
  );
  const bytes = layers.hear<Limit>(
    (from) => from.budget?.bytes,
    say("budget.bytes", budget.bytes, initial.budget.bytes),
    "off",
  );
  const strategy = layers.hear(
    (from) => from.strategy,
    say("fit.strategy", fit.strategy, initial.fit.strategy),
  );
  const byDialect = [DEFAULT_PROFILE, defaultProfileOf(settings.dialect)];
  const isOwnProfile = !settings.profileIsDefault || !byDialect.includes(profile);
  const profileLayer = layerOf(settings, "profile", !isOwnProfile);
  const named = layers.hear(
    (from) => from.profile,
    profileLayer === "default" ? {} : { [profileLayer]: profile },
  );
  const { filter, origin } = decideFilter(layers, settings, code);
  const own = dialect?.value ?? settings.dialect;
  const more =
    layers.file?.dialects ?? code.tool?.dialects ?? code.allowedDialects ?? settings.allow.dialects;
  return {
    dialect: own,
    dialects: [...new Set([...askableUnder(own), ...more])],
    profile: named?.value,
    delivery: delivery?.value ?? settings.delivery,
    encoding: encoding?.value ?? settings.encoding,
    select: select?.value ?? settings.select,
    repairArguments: repairArguments?.value ?? settings.repairArguments,
    upstreamDialect: upstream?.value ?? settings.upstream.dialect,
    budget: { tokens: tokens?.value ?? budget.tokens, bytes: bytes?.value ?? budget.bytes },
    strategy: strategy?.value ?? fit.strategy,
    filter,
    origins: {
      dialect: layers.origin(dialect?.layer ?? "default", "dialect"),
      profile: layers.origin(named?.layer ?? "default", "profile"),
      "budget.tokens": layers.origin(tokens?.layer ?? "default", "budget.tokens"),
      "budget.bytes": layers.origin(bytes?.layer ?? "default", "budget.bytes"),
      delivery: layers.origin(delivery?.layer ?? "default", "delivery"),
      encoding: layers.origin(encoding?.layer ?? "default", "encoding"),
      select: layers.origin(select?.layer ?? "default", "select"),
      repair_arguments: layers.origin(repairArguments?.layer ?? "default", "repair_arguments"),
      "upstream.dialect": layers.origin(upstream?.layer ?? "default", "upstream.dialect"),
      strategy: layers.origin(strategy?.layer ?? "default", "fit.strategy", "strategy"),
      filter: origin,
    },
  };
}
