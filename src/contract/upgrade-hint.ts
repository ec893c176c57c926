import { type JsonValue, isJsonObject } from "../json/json-value.ts";

export interface UpgradeHint {
  readonly feature: string;
  readonly tier: string;
  readonly reason: string;
}

/** What `upgradeHintSchema` accepts, for readers that do without Zod. */
export function isUpgradeHint(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { feature, tier, reason } = value;
  const isFilled = (text: unknown): boolean => typeof text === "string" && text !== "";
  return isFilled(feature) && isFilled(tier) && typeof reason === "string";
}
