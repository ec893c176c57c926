import { defaultSettings } from "../config/default-settings.ts";
import type { BareCuts, Budget, Limit, Settings, ToolOverride } from "../config/settings.ts";
import type { FitStrategy } from "../pipeline/parcel.ts";
import type { ContractOptions } from "./contract-options.ts";
import { isWidget } from "./is-widget.ts";
import type { ToolConfig } from "./tool-definition.ts";

// What is said of the tool comes first (configuration before code), then the general configuration, then the
// contract's options. A configured value that is the default counts as not configured.

/** How a tool's results are cut. */
export interface ToolFit {
  readonly strategy: FitStrategy;
  readonly maxBlobBytes: Limit;
}

function overrideOf({ tools }: Settings, name: string): ToolOverride | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}

function configured<Value>(value: Value, byDefault: Value): Value | undefined {
  return value === byDefault ? undefined : value;
}

/** The budget of a tool before a request has a say. */
export function chooseBudget(
  settings: Settings,
  { budget = {} }: ContractOptions,
  name: string,
  config: ToolConfig,
): Budget {
  const own = overrideOf(settings, name)?.budget;
  const choose = (key: keyof Budget): Limit => {
    const general = configured(settings.budget[key], defaultSettings.budget[key]);
    // A widget shows all of its tool's data or none, so nothing is cut unless its author says so.
    const fallback = isWidget(config) ? "off" : (general ?? budget[key] ?? settings.budget[key]);
    return own?.[key] ?? config.budget?.[key] ?? fallback;
  };
  const isPinned = settings.pinned.includes("budget.tokens");
  return { tokens: isPinned ? settings.budget.tokens : choose("tokens"), bytes: choose("bytes") };
}

export function chooseFit(
  settings: Settings,
  { fit = {} }: ContractOptions,
  name: string,
  config: ToolConfig,
): ToolFit {
  const { strategy, maxBlobBytes } = settings.fit;
  const general = configured(strategy, defaultSettings.fit.strategy);
  const ownBytes = configured(maxBlobBytes, defaultSettings.fit.maxBlobBytes);
  return {
    strategy: overrideOf(settings, name)?.strategy ?? config.strategy ?? general ?? fit.strategy ?? strategy,
    maxBlobBytes: ownBytes ?? fit.maxBlobBytes ?? maxBlobBytes,
  };
}

/** Whether results in dialects without an envelope may be cut. */
export function chooseBareCuts({ fit: { withoutEnvelope } }: Settings, { fit }: ContractOptions): BareCuts {
  const general = configured(withoutEnvelope, defaultSettings.fit.withoutEnvelope);
  return general ?? fit?.withoutEnvelope ?? withoutEnvelope;
}
