import { decodeTables } from "../../core/json/table/decode-tables.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { listingKeysOnce } from "../../core/json/json-chunks.ts";
import type { DataEncoding } from "../../core/pipeline/parcel.ts";
import { exampleLinesIn } from "../retrieve/question/find-text.ts";
import { exampleQuestion } from "../retrieve/question/example-question.ts";
import { questionThread } from "../retrieve/question/question-messages.ts";
import { ownValue } from "../retrieve/question/own-value.ts";
import { mayOpenThread } from "../runtime/worker-thread.ts";
import type { ContractState } from "./contract-state.ts";

/** A longer question explains less than it costs. */
const MAX_LENGTH = 120;

/**
 * The example in the warning of a cut: a question made of the data's own keys, or lines of a text. The
 * arguments are for the retrieval tool, without the archive; undefined if nothing could answer them.
 */
export function exampleFor(
  { log }: ContractState,
  data: JsonValue,
  encoding: DataEncoding | undefined,
): JsonObject | undefined {
  if (!mayOpenThread(questionThread)) return undefined;
  try {
    return listingKeysOnce(() => exampleIn(encoding === "table" ? decodeTables(data) : data));
  } catch (error) {
    // A cut is sent even if its example fails.
    log.warn("example-failed", { err: error });
    return undefined;
  }
}

function exampleIn(data: JsonValue): JsonObject | undefined {
  const value = ownValue(data);
  const lines = exampleLinesIn(value);
  if (lines !== undefined) return lines;
  const select = exampleQuestion(value);
  return select !== undefined && select.length <= MAX_LENGTH ? { select } : undefined;
}
