// What a caller should do about a failure whose author does not say it.

import type { JsonObject } from "../json/json-value.ts";
import { retryRuleOfCode } from "./error-data.ts";
import { errorRegistry } from "./error-registry.ts";

/** For a call that may have run: what it changed must not be changed a second time. */
export const CHECK_FIRST =
  "Check first whether the call took effect. Repeat it as it is only if it changes nothing.";

/** The registry's advice for the code; never to repeat a call of which it is not known whether it ran. */
export function remediationFor(code: string, details: JsonObject | undefined): string | undefined {
  const { remediation } = errorRegistry.get(code) ?? {};
  const repeats = remediation === undefined || retryRuleOfCode(code) === "backoff";
  return repeats && details?.["executed"] === "unknown" ? CHECK_FIRST : remediation;
}
