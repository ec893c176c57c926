import type { JsonValue } from "../json/json-value.ts";
import type { Source } from "./entry.ts";
import type { LoadedConfig } from "./resolve-config.ts";

/** One line of `waybill config`. */
export interface ConfigRow {
  readonly setting: string;
  readonly value: JsonValue;
  readonly source: Source;
  /** `file:line`, an environment variable, or nothing for a default. */
  readonly where: string;
}

/** Every effective setting with its source, sorted by name; the secret reads "set" or "not set". */
export function describeConfig({ origins }: LoadedConfig): ConfigRow[] {
  return Object.entries(origins)
    .map(([setting, { value, source, where = "" }]) => ({ setting, value, source, where }))
    .sort((left, right) => (left.setting < right.setting ? -1 : 1));
}
