import type { DialectId } from "../contract/dialect-id.ts";
import type { Flags } from "./define-flags.ts";

/** Off for a caller, it answers them in the legacy dialect. */
export const CONTRACT_FLAG = "response_contract_v2";

/** The dialect that stands in for response-v2 where its flag is off; each such answer is a deprecated use. */
export function legacyDialect(flags: Flags, client?: string): Extract<DialectId, "response-v1"> | undefined {
  const { enabled, flag } = flags.evaluate(CONTRACT_FLAG, { client });
  if (enabled) return undefined;
  flags.onDeprecation?.({ flag: CONTRACT_FLAG, sunset: flag?.sunset });
  return "response-v1";
}
