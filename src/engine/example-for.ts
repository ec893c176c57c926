import { decodeTables } from "../json/table/decode-tables.ts";
import { ownValue } from "../question/own-value.ts";
import type { Encoding, FitContext } from "../pipeline/parcel.ts";
import type { ContractState } from "./contract-state.ts";

/** A question of more characters explains less than it costs. */
const MAX_LENGTH = 120;

/** Makes the question that the warning of a cut shows; undefined where nobody could answer it. */
export function exampleFor(
  { archive, log }: ContractState,
  encoding: Encoding | undefined,
): FitContext["exampleFor"] {
  if (!archive.isOn) return undefined;
  return async (data) => {
    try {
      const [{ exampleQuestion }, { mayOpenWorker }] = await Promise.all([
        import("../question/example-question.ts"),
        import("../question/open-worker.ts"),
      ]);
      if (!mayOpenWorker()) return undefined;
      const value = ownValue(encoding === "table" ? decodeTables(data) : data);
      const example = exampleQuestion(value);
      return example !== undefined && example.length <= MAX_LENGTH ? example : undefined;
    } catch (error) {
      // A cut is sent whatever becomes of its example.
      log.warn("example-failed", { err: error });
      return undefined;
    }
  };
}
