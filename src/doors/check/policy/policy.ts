import type { JsonObject, JsonValue } from "../../../core/json/json-value.ts";

/** How many findings of a rule a setting repairs, or no setting does. */
export interface RuleCount {
  readonly rule: string;
  readonly findings: number;
}

/** One setting below the upstream's section of the file, and what it is for. */
export interface PolicySetting {
  /** Empty for what every gateway does, whatever its settings. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  readonly effect: string;
  readonly repairs: readonly RuleCount[];
}

/** A rule whose findings stay, and why. */
export interface PolicyGap extends RuleCount {
  /** The tools it is about; empty for the server as a whole. */
  readonly tools: readonly string[];
  readonly why: string;
}

/** The configuration that repairs what can be repaired. The same report always gives the same policy. */
export interface Policy {
  /** The upstream's name in the file. */
  readonly name: string;
  readonly settings: readonly PolicySetting[];
  readonly gaps: readonly PolicyGap[];
  /** How many findings the settings repair. */
  readonly repaired: number;
  /** What `waybill gateway --config` reads. */
  readonly config: JsonObject;
  /** The same as the file: JSON with comments, which say what each setting is for and what stays. */
  readonly text: string;
}
