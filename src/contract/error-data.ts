import { type JsonObject, type JsonValue, isJsonObject, mapObject, setOwn } from "../json/json-value.ts";
import { typeOfCode } from "./code-facts.ts";
import { errorTypeTable, isErrorType } from "./error-types.ts";
import type { Fault } from "./outcome.ts";

const ownKeys = new Set(["error_code", "error_type", "remediation", "details"]);

/** Code follows from type and type from code; with neither, the failure is internal. */
export function completeCodeAndType(code?: string, type?: string): { code: string; type: string } {
  const codeOfType = isErrorType(type) ? errorTypeTable[type].code : "INTERNAL_ERROR";
  return { code: code ?? codeOfType, type: type ?? typeOfCode(code ?? "") ?? "internal" };
}

/** A fault as the `data` of a failed response-v2 envelope: the four standard fields first, then the rest. */
export function writeErrorData(fault: Fault): JsonObject {
  const data: Record<string, JsonValue> = { error_code: fault.code, error_type: fault.type };
  if (fault.remediation !== undefined) data["remediation"] = fault.remediation;
  if (fault.details !== undefined && Object.keys(fault.details).length > 0) data["details"] = fault.details;
  for (const [key, value] of Object.entries(fault.data ?? {})) {
    if (!ownKeys.has(key)) setOwn(data, key, value);
  }
  return data;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The fault that `error` and `data` of a failed envelope describe. */
export function readErrorData(message: string, data: JsonObject): Fault {
  const { code, type } = completeCodeAndType(textOf(data["error_code"]), textOf(data["error_type"]));
  const remediation = textOf(data["remediation"]);
  const details = data["details"];
  const rest = mapObject(data, (value, key) => (ownKeys.has(key) ? undefined : value));
  return {
    message,
    code,
    type,
    ...(remediation === undefined ? {} : { remediation }),
    ...(isJsonObject(details) && Object.keys(details).length > 0 ? { details } : {}),
    ...(Object.keys(rest).length > 0 ? { data: rest } : {}),
  };
}
