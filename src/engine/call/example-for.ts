import { decodeTables } from "../../core/json/table/decode-tables.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { listingKeysOnce } from "../../core/json/json-chunks.ts";
import {
  type CutExample,
  type DataEncoding,
  type MissingPlace,
  tableFormOf,
} from "../../core/pipeline/pipeline-context.ts";
import { exampleLinesIn } from "../retrieve/question/find-text.ts";
import { exampleQuestion } from "../retrieve/question/example-question.ts";
import { questionThread } from "../retrieve/question/question-messages.ts";
import { WRAPPER, ownValue } from "../retrieve/question/own-value.ts";
import { mayOpenThread } from "../runtime/worker-thread.ts";
import type { ContractState } from "./contract-state.ts";

/** A longer question explains less than it costs. */
const MAX_LENGTH = 120;

/**
 * The example in the warning of a cut: a question made of the data's own keys, or lines of a text, about what
 * is missing. The arguments are for the retrieval tool, without the archive; undefined if nothing could answer
 * them.
 */
export function exampleFor(
  { log }: ContractState,
  data: JsonValue,
  encoding: DataEncoding | undefined,
  words: string,
): CutExample | undefined {
  if (!mayOpenThread(questionThread)) return undefined;
  // A cut is sent even if its example fails.
  function tried<Result>(make: () => Result): Result | undefined {
    try {
      return listingKeysOnce(make);
    } catch (error) {
      log.warn("example-failed", { err: error });
      return undefined;
    }
  }
  const value = tried(() => ownValue(tableFormOf(encoding) === undefined ? data : decodeTables(data)));
  return value === undefined ? undefined : (missing) => tried(() => exampleIn(value, missing, words));
}

function exampleIn(
  value: JsonValue,
  missing: readonly MissingPlace[],
  words: string,
): JsonObject | undefined {
  const places = isJsonObject(value) ? missing : missing.map(unwrapped);
  const isAll = places.some(({ pointer, run, after }) => pointer === "" && (run ?? after) === undefined);
  const left = isAll ? [] : places;
  const lines = exampleLinesIn(value, left, words);
  if (lines !== undefined) return lines;
  const select = exampleQuestion(value, left);
  return select !== undefined && select.length <= MAX_LENGTH ? { select } : undefined;
}

/** Only objects are sent as they are: the names of anything else begin with the key that wraps it. */
function unwrapped(place: MissingPlace): MissingPlace {
  const [, first, rest] = /^\/([^/]*)(.*)$/s.exec(place.pointer) ?? [];
  return first === WRAPPER && rest !== undefined ? { ...place, pointer: rest } : place;
}
