export { configSchema } from "./config-schema.ts";
export { defaultSettings } from "./settings.ts";
export { describeConfig, describeToolConfig, settingsForTool } from "./describe-config.ts";
export { findConfig } from "./find-config.ts";
export { loadConfig } from "./load-config.ts";
export { resolveConfig } from "./resolve-config.ts";
export { followConfig, watchConfig } from "./watch-config.ts";
export type { WaybillConfig } from "./config-schema.ts";
export type { ConfigRow, ToolConfigRow, ToolFilter, ToolSettings } from "./describe-config.ts";
export type { Source } from "./entry.ts";
export type { Candidate, CandidateOrigin, CandidateStatus, FindConfigOptions } from "./find-config.ts";
export type { LoadConfigOptions } from "./load-config.ts";
export type { Environment } from "./read-environment.ts";
export type { CommandLine, ConfigSources, ConfigText, LoadedConfig, Origin } from "./resolve-config.ts";
export type { Budget, DeliveryMode, Limit } from "../../core/pipeline/parcel.ts";
export type { Secret } from "./read-environment.ts";
export type {
  FlagOverride,
  Pinnable,
  SettingOrigin,
  Settings,
  ToolOverride,
  ValidateMode,
} from "./settings.ts";
export type { ChangeListener, ConfigWatch, ProblemListener } from "./watch-config.ts";
