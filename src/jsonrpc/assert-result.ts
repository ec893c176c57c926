import { ContractError } from "../contract/contract-error.ts";
import type { Violation } from "../contract/rule.ts";
import { findNonJson } from "../json/find-non-json.ts";
import { isJsonObject, type JsonObject } from "../json/json-value.ts";
import { describeValue } from "./describe-value.ts";

/** Refuses what JSON cannot carry as it is. */
export function assertCarriable(value: unknown, option: string): void {
  const found = findNonJson(value);
  if (found === undefined) return;
  const details = { option, pointer: found.pointer };
  throw new ContractError("INVALID_OPTION", `\`${option}\` is not JSON. ${found.message}`, details);
}

/** Refuses a result that is no JSON object, or that breaks a MUST of its own rules. */
export function assertResult(
  result: unknown,
  check: (result: JsonObject, path: string) => readonly Violation[] = () => [],
): void {
  if (!isJsonObject(result)) {
    const message = `The result is ${describeValue(result)}: send an object, such as { value: … }.`;
    throw new ContractError("INVALID_OPTION", message, { option: "result" });
  }
  assertCarriable(result, "result");
  const broken = check(result, "").find(({ severity }) => severity === "MUST");
  if (broken === undefined) return;
  throw new ContractError("INVALID_OPTION", broken.message, { rule: broken.rule, path: broken.path });
}
