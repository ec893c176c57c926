import { decodeTables } from "../json/table/decode-tables.ts";
import type { JsonValue } from "../json/json-value.ts";
import type { Encoding } from "../pipeline/parcel.ts";
import { exampleQuestion } from "../question/example-question.ts";
import { mayOpenWorker } from "../question/open-worker.ts";
import { ownValue } from "../question/own-value.ts";
import type { ContractState } from "./contract-state.ts";

/** A question of more characters explains less than it costs. */
const MAX_LENGTH = 120;

/** The question that the warning of a cut shows, made of the data's own keys; undefined where nobody could answer it. */
export function exampleFor(
  { log }: ContractState,
  data: JsonValue,
  encoding: Encoding | undefined,
): string | undefined {
  if (!mayOpenWorker()) return undefined;
  try {
    const example = exampleQuestion(ownValue(encoding === "table" ? decodeTables(data) : data));
    return example !== undefined && example.length <= MAX_LENGTH ? example : undefined;
  } catch (error) {
    // A cut is sent whatever becomes of its example.
    log.warn("example-failed", { err: error });
    return undefined;
  }
}
