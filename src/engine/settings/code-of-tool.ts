import type { CodeLayers, CodeSettings } from "./decide-tool.ts";
import { isJsonObject } from "../../core/json/json-value.ts";
import type { ContractOptions } from "./contract-options.ts";
import { leavesIn } from "./table.ts";
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
  const own = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
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
