import type { WarningDetail } from "../contract/warning.ts";
import type { CacheAge } from "./tool-context.ts";

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** An age as people say it: in the largest unit of which there are at least two. */
function ageWords(seconds: number): string {
  const [unit, length] = units.find(([, size]) => seconds >= 2 * size) ?? ["second", 1];
  const count = Math.round(seconds / length);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** The warning of data that is older than it may be, in seed 001's words and context. */
export function staleCache({ ageSeconds, maxFreshnessSeconds }: CacheAge): WarningDetail {
  return {
    code: "STALE_CACHE",
    severity: "warning",
    message: `Cache data is ${ageWords(ageSeconds)} old`,
    context: { cache_age_seconds: ageSeconds, max_freshness_seconds: maxFreshnessSeconds },
  };
}
