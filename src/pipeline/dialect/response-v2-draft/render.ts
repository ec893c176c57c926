import { wrapData } from "../../../contract/envelope.ts";
import type { Fault, Outcome } from "../../../contract/outcome.ts";
import { writeMeta } from "../../../contract/write-meta.ts";
import { type JsonObject, type JsonValue, mapObject } from "../../../json/json-value.ts";
import { type RenderOptions, shownNotes } from "../dialect.ts";
import { moveIntoData, refuseReservedKeys } from "./metadata-in-data.ts";

/** An error's `data` is `{}` here, so what a program needs of the failure rides in `meta`. */
export const faultKeys = ["error_code", "error_type", "remediation", "details", "error_data"] as const;

function writeFault(fault: Fault): JsonObject {
  const { code, type, remediation, details, data } = fault;
  const values = [code, type, remediation, details, data];
  const pairs = faultKeys.map((key, index) => [key, values[index]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as JsonObject;
}

export function render(outcome: Outcome, options: RenderOptions): JsonValue {
  const meta = writeMeta(shownNotes({}, outcome, options), { emitEmpty: options.emitEmpty ?? false });
  if (!outcome.ok) {
    const own = mapObject(meta, (value, key) =>
      faultKeys.some((taken) => taken === key) ? undefined : value,
    );
    return {
      success: false,
      data: {},
      error: outcome.fault.message,
      meta: { ...own, ...writeFault(outcome.fault) },
    };
  }
  const data = wrapData(outcome.data);
  refuseReservedKeys(data);
  if (options.metadata !== "data") return { success: true, data, error: null, meta };
  return {
    success: true,
    data: moveIntoData(data, meta),
    error: null,
    meta: { version: meta["version"] ?? null },
  };
}
