import type { WarningDetail } from "../contract/warning.ts";
import { setOwn } from "../json/json-value.ts";
import type { ContractOffer } from "./contract-offer.ts";
import { quoteAsked } from "./show-asked.ts";

const MAX_FEATURES = 32;
const MAX_NAME_LENGTH = 64;

export interface FeatureAnswer {
  readonly features: Readonly<Record<string, boolean>>;
  readonly warnings: readonly WarningDetail[];
}

function unknown(message: string, names: readonly string[]): WarningDetail {
  return { code: "FEATURE_UNKNOWN", severity: "warning", message, context: { features: names } };
}

function lookUp(name: string, { features = {}, flags, client }: ContractOffer): boolean | undefined {
  if (Object.hasOwn(features, name)) return features[name];
  const verdict = flags?.evaluate(name, { client });
  return verdict === undefined || verdict.reason === "unknown" ? undefined : verdict.enabled;
}

/** Says of each feature asked for whether it is on, or of all that are offered when none was asked for. */
export function answerFeatures(asked: readonly unknown[] | undefined, offer: ContractOffer): FeatureAnswer {
  if (asked === undefined) return { features: { ...offer.features }, warnings: [] };
  const isName = (name: unknown): name is string =>
    typeof name === "string" && name !== "" && name.length <= MAX_NAME_LENGTH;
  const names = [...new Set(asked.filter(isName))].slice(0, MAX_FEATURES);
  const features: Record<string, boolean> = {};
  const warnings: WarningDetail[] = [];
  for (const name of names) {
    const enabled = lookUp(name, offer);
    setOwn(features, name, enabled ?? false);
    if (enabled === undefined)
      warnings.push(unknown(`Feature ${quoteAsked(name)} is not known here.`, [name]));
  }
  if (new Set(asked).size > names.length) {
    const limits = `${MAX_FEATURES} names of at most ${MAX_NAME_LENGTH} characters`;
    warnings.push(unknown(`Some features were not read: ask for up to ${limits} at a time.`, []));
  }
  return { features, warnings };
}
