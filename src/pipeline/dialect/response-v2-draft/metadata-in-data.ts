import { ContractError } from "../../../contract/contract-error.ts";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../../json/json-value.ts";

const META = "_meta";
const WARNINGS = "_warnings";

/** Seed 000 reserves two keys of `data` for metadata, so a payload cannot use them itself. */
export function refuseReservedKeys(data: JsonObject): void {
  const taken = [META, WARNINGS].filter((key) => Object.hasOwn(data, key));
  if (taken.length > 0) {
    throw new ContractError(
      "CANNOT_CARRY",
      `The draft dialect reserves ${taken.join(" and ")} in data: rename the payload's key, or use response-v2.`,
      { keys: taken },
    );
  }
}

/** Moves everything but the version from `meta` into `data._meta` and `data._warnings`. */
export function moveIntoData(data: JsonObject, meta: JsonObject): JsonObject {
  const { version: _, warnings, ...rest } = meta;
  return {
    ...data,
    ...(Object.keys(rest).length > 0 ? { [META]: rest } : {}),
    ...(warnings === undefined ? {} : { [WARNINGS]: warnings }),
  };
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The payload and the metadata again, wherever the writer put the latter; `meta` wins over `data._meta` where it
 * says something, and the warnings of all places are kept.
 */
export function moveOutOfData(data: JsonObject, meta: JsonObject): { data: JsonObject; meta: JsonObject } {
  const inner = isJsonObject(data[META]) ? data[META] : {};
  const outer = mapObject(meta, (value, key) =>
    isEmpty(value) && Object.hasOwn(inner, key) ? undefined : value,
  );
  const warnings = [inner["warnings"], data[WARNINGS], meta["warnings"]].flatMap(listOf);
  return {
    data: mapObject(data, (value, key) => (key === META || key === WARNINGS ? undefined : value)),
    meta: { ...inner, ...outer, ...(warnings.length > 0 ? { warnings } : {}) },
  };
}
