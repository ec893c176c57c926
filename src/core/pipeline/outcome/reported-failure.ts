// A handler may report a failure without an envelope and without throwing: `{ success: false, error }`. It is read by
// the rules for other servers' results, so that a tool means the same behind every door.

import type { Outcome } from "../../contract/outcome.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { readFailurePayload } from "./failure-payload.ts";
import { failureOf } from "./foreign-failure.ts";
import { ResultJson } from "./result-json.ts";

/** Whether a value says by its own flag that it failed; an `error` without the flag may be a field of the data. */
function isFlagged(value: unknown): value is JsonObject {
  return isJsonObject(value) && value["success"] === false && value["error"] !== undefined;
}

/** The failure that a handler's value reports; undefined for data, and if there is data beside the report. */
export function reportedFailure(value: unknown): Outcome | undefined {
  if (!isFlagged(value)) return undefined;
  const payload = readFailurePayload(value, false);
  if (payload === undefined || payload.confidence !== "high") return undefined;
  const said = { texts: [], structured: value, meta: undefined, isMarked: false };
  return failureOf(said, payload, new ResultJson()).outcome;
}
