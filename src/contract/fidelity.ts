/** From whole to nearly nothing; an author's level can only be lowered. */
export const fidelityLevels = ["full", "partial", "summary", "reference_only"] as const;
export type FidelityLevel = (typeof fidelityLevels)[number];

export const FIDELITY_SCHEMA_VERSION = "1.0";

export interface Fidelity {
  readonly level: FidelityLevel;
  readonly dropped: readonly string[];
  readonly archives: Readonly<Record<string, string>>;
}

/** Something named as dropped means the content is not whole, whatever the author said. */
export function lowerFidelity(level: FidelityLevel | undefined, dropped: readonly string[]): FidelityLevel {
  if (dropped.length > 0 && (level === undefined || level === "full")) return "partial";
  return level ?? "full";
}
