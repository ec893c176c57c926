import type { SettingOrigin, Settings, ToolOverride } from "../../../../engine/settings/settings.ts";
import type { Budget } from "../../../../core/pipeline/parcel.ts";
import { type JsonValue, setOwn } from "../../../../core/json/json-value.ts";
import { type LiveChange, pathOf } from "./live-change.ts";

const nothing: ToolOverride = {
  includeOnly: [],
  exclude: [],
  includeOnError: [],
  excludeWhenTier: {},
  budget: {},
};

/** Changes were checked when they came, so what should be text is. */
function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : "";
}

const page: SettingOrigin = { source: "page" };

/** A profile that the file has taken away since can give no result its form. */
export function isLost({ key, value }: LiveChange, { profiles }: Settings): boolean {
  return key === "profile" && !Object.hasOwn(profiles, textOf(value));
}

function limits(budget: Partial<Budget>, key: string, value: JsonValue): Partial<Budget> {
  return { ...budget, [key === "budget.tokens" ? "tokens" : "bytes"]: value };
}

/** A tool's profile and budget stand in a layer of their own, above the command line; nothing but a file has filters. */
function changeTool(tool: ToolOverride, { key, value }: LiveChange): ToolOverride {
  const list = Array.isArray(value) ? value.map(textOf) : [];
  switch (key) {
    case "include_only":
      return { ...tool, includeOnly: list };
    case "exclude":
      return { ...tool, exclude: list };
    case "include_on_error":
      return { ...tool, includeOnError: list };
    case "profile":
      return { ...tool, page: { ...tool.page, profile: textOf(value) } };
    default:
      return { ...tool, page: { ...tool.page, budget: limits(tool.page?.budget ?? {}, key, value) } };
  }
}

function changeGeneral(settings: Settings, { key, value }: LiveChange): Settings {
  switch (key) {
    case "profile":
      return { ...settings, profile: textOf(value), profileIsDefault: false };
    case "exclude_empty_arrays":
      return { ...settings, excludeEmptyArrays: value === true };
    case "exclude_empty_objects":
      return { ...settings, excludeEmptyObjects: value === true };
    case "exclude_null_values":
      return { ...settings, excludeNullValues: value === true };
    default:
      return { ...settings, budget: { ...settings.budget, ...limits({}, key, value) } };
  }
}

/** The settings with the page's changes over them. What was there is not touched. */
export function layOver(settings: Settings, changes: Iterable<LiveChange>): Settings {
  const tools: Record<string, ToolOverride> = { ...settings.tools };
  const origins: Record<string, SettingOrigin> = { ...settings.origins };
  let laid = settings;
  for (const change of changes) {
    if (isLost(change, settings)) continue;
    const { tool } = change;
    if (tool === undefined) laid = changeGeneral(laid, change);
    else
      setOwn(
        tools,
        tool,
        changeTool((Object.hasOwn(tools, tool) ? tools[tool] : undefined) ?? nothing, change),
      );
    setOwn(origins, pathOf(change), page);
  }
  return { ...laid, tools, origins };
}
