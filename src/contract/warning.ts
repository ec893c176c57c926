import type { JsonObject } from "../json/json-value.ts";
import { stableStringify } from "../json/canonical-json.ts";
import { type Severity, severities, warningRow } from "./warning-registry.ts";

export interface WarningDetail {
  readonly code?: string;
  readonly severity?: Severity;
  readonly message: string;
  readonly context?: JsonObject;
}

/** A bare string counts as `warning`; a known code without a severity takes the registry's. */
export function severityOf(warning: WarningDetail): Severity {
  return warning.severity ?? warningRow(warning.code)?.severity ?? "warning";
}

/** True for what every profile shows: severity warning or error, or something the reader can act on. */
export function isNotable(warning: WarningDetail): boolean {
  return severityOf(warning) !== "info" || warningRow(warning.code)?.actionable === true;
}

/** True when the warning says no more than its message, so that the string alone carries it. */
export function isBare(warning: WarningDetail): boolean {
  return warning.code === undefined && warning.severity === undefined && warning.context === undefined;
}

function withoutRepeats(warnings: readonly WarningDetail[]): WarningDetail[] {
  const spoken = new Set(warnings.filter((warning) => !isBare(warning)).map((warning) => warning.message));
  const seen = new Set<string>();
  return warnings.filter((warning) => {
    if (isBare(warning) && spoken.has(warning.message)) return false;
    const key = stableStringify({ ...warning });
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * Error first, then warning, then info; equal ones once; a bare string that a detail repeats is dropped.
 * Within a severity, warnings with one message stand together, so that the list of strings gives the order back.
 */
export function orderWarnings(warnings: readonly WarningDetail[]): WarningDetail[] {
  const rank = (warning: WarningDetail): number => severities.indexOf(severityOf(warning));
  const ranked = withoutRepeats(warnings).sort((a, b) => rank(a) - rank(b));
  // Looked up, not searched for: a batch may warn of each of its thousands of items.
  const places = new Map<string, number>();
  for (const { message } of ranked) if (!places.has(message)) places.set(message, places.size);
  const place = ({ message }: WarningDetail): number => places.get(message) ?? 0;
  return ranked.sort((a, b) => rank(a) - rank(b) || place(a) - place(b));
}
