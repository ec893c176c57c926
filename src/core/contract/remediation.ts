// What a caller should do about a failure whose author does not say it.

import type { JsonObject } from "../json/json-value.ts";
import { retryRuleOfCode } from "./error-data.ts";
import { errorRegistry } from "./error-registry.ts";

/** For a call that may have run: what it changed must not be changed a second time. */
export const CHECK_FIRST =
  "Check first whether the call took effect: it may have run. Only a call that changes nothing may be repeated as it is.";

/** The registry's advice for the code; if it is not known whether the call ran, to check that comes first. */
export function remediationFor(code: string, details: JsonObject | undefined): string | undefined {
  const { remediation } = errorRegistry.get(code) ?? {};
  if (details?.["executed"] !== "unknown") return remediation;
  // The registry only says to repeat the call.
  if (remediation === undefined || retryRuleOfCode(code) === "backoff") return CHECK_FIRST;
  return `${CHECK_FIRST} ${remediation}`;
}
