import type { JsonObject, JsonValue } from "../../../core/json/json-value.ts";

/** How many findings of a rule a setting repairs, or no setting repairs. */
export interface RuleCount {
  readonly rule: string;
  readonly findings: number;
}

/** One setting below the upstream's section of the file, and its purpose. */
export interface PolicySetting {
  /** Empty for what every gateway does, regardless of settings. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  readonly effect: string;
  readonly repairs: readonly RuleCount[];
}

/** A rule whose findings remain, and why. */
export interface PolicyGap extends RuleCount {
  /** The tools concerned; empty for the server as a whole. */
  readonly tools: readonly string[];
  readonly why: string;
}

/** The configuration that makes all possible repairs. The same report always gives the same policy. */
export interface Policy {
  /** The upstream's name in the file. */
  readonly name: string;
  readonly settings: readonly PolicySetting[];
  readonly gaps: readonly PolicyGap[];
  /** How many findings the settings repair. */
  readonly repaired: number;
  /** What `waybill gateway --config` reads. */
  readonly config: JsonObject;
  /** `config` as the text of the file: JSON with comments that explain each setting and list the remaining findings. */
  readonly text: string;
}
