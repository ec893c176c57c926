// Gives a code to a failure from a server without codes, by its words, as the gateway does. Loaded by the first such
// failure.

import { markIn } from "../../core/contract/contract-mark.ts";
import type { Failure, Outcome } from "../../core/contract/outcome.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { nameFailure } from "../../core/pipeline/outcome/foreign-failure.ts";
import { ResultJson } from "../../core/pipeline/outcome/result-json.ts";

/** The failure with the code that its words mean; a failure written by a contract keeps its own code. */
export function nameBareFailure(failure: Failure, { _meta: meta }: JsonObject): Outcome {
  if (markIn(meta) !== undefined) return failure;
  return nameFailure(failure, isJsonObject(meta) ? meta : undefined, new ResultJson()).outcome;
}
