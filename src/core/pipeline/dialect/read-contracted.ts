import { ContractError } from "../../contract/contract-error.ts";
import { errorRegistry } from "../../contract/error-registry.ts";
import type { Outcome } from "../../contract/outcome.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { markIn } from "../../contract/contract-mark.ts";
import { isDialectId } from "../../contract/dialect-id.ts";
import type { FormReader, ReadForm } from "../parcel.ts";
import type { Loss } from "./dialect.ts";
import { dialects } from "./dialects.ts";
import { textsOf } from "./result-rules.ts";
import { readResponse } from "./translate.ts";

function isText({ type }: JsonObject): boolean {
  return type === "text";
}

/** If the dialect has no place for the remediation, the registry's remediation for the code replaces it. */
export function withAdvice(outcome: Outcome, losses: readonly Loss[]): Outcome {
  if (outcome.ok || outcome.fault.remediation !== undefined) return outcome;
  if (!losses.some(({ path }) => path === "/fault/remediation")) return outcome;
  const { remediation } = errorRegistry.get(outcome.fault.code) ?? {};
  return remediation === undefined ? outcome : { ...outcome, fault: { ...outcome.fault, remediation } };
}

/**
 * What another Waybill server wrote, in the dialect its result names. Undefined if the result names none, if the
 * author's own texts are beside the wire form, and for a failure of which plain MCP or the legacy form says only a
 * text.
 */
export function readContracted(result: JsonObject): ReadForm | undefined {
  const named = markIn(result["_meta"])?.["dialect"];
  if (!isDialectId(named)) return undefined;
  const content = Array.isArray(result["content"]) ? result["content"].filter(isJsonObject) : [];
  const words = { ...result, content: content.filter(isText) };
  // At most the wire form's text, and its notes.
  if (textsOf(words).length > 2) return undefined;
  const { level, losses } = dialects[named];
  try {
    const outcome = withAdvice(readResponse(words, named), losses);
    const isCoded = outcome.ok || !losses.some(({ path }) => path === "/fault/code");
    // The prefix of a failure in drf is not part of its message.
    return isCoded || named === "drf" ? { outcome, isEnvelope: level === "envelope", isCoded } : undefined;
  } catch (error) {
    // The result breaks the contract that it names, so it is read like any other server's.
    if (ContractError.isInstance(error)) return undefined;
    throw error;
  }
}

/** For results of our own tools: reads what another Waybill server wrote, and otherwise only response-v2. */
export const contractedReader: FormReader = { result: readContracted };
