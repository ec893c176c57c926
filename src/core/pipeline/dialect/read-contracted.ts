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

/** A dialect without a place for the remediation lost it on the way: the registry has the one that goes with the code. */
export function withAdvice(outcome: Outcome, losses: readonly Loss[]): Outcome {
  if (outcome.ok || outcome.fault.remediation !== undefined) return outcome;
  if (!losses.some(({ path }) => path === "/fault/remediation")) return outcome;
  const { remediation } = errorRegistry.get(outcome.fault.code) ?? {};
  return remediation === undefined ? outcome : { ...outcome, fault: { ...outcome.fault, remediation } };
}

/**
 * What another Waybill wrote, in whichever dialect its result names. Undefined where it names none, where an author's
 * own texts stand beside the words, and for a failure of which plain MCP or the legacy form says no more than a text.
 */
export function readContracted(result: JsonObject): ReadForm | undefined {
  const named = markIn(result["_meta"])?.["dialect"];
  if (!isDialectId(named)) return undefined;
  const content = Array.isArray(result["content"]) ? result["content"].filter(isJsonObject) : [];
  const words = { ...result, content: content.filter(isText) };
  // The words, and their notes.
  if (textsOf(words).length > 2) return undefined;
  const { level, losses } = dialects[named];
  try {
    const outcome = withAdvice(readResponse(words, named), losses);
    const isCoded = outcome.ok || !losses.some(({ path }) => path === "/fault/code");
    // A failure in drf has a prefix, which is no part of its words.
    return isCoded || named === "drf" ? { outcome, isEnvelope: level === "envelope", isCoded } : undefined;
  } catch (error) {
    // It breaks the contract that it names, so it is read as any other server's.
    if (ContractError.isInstance(error)) return undefined;
    throw error;
  }
}

/** For results of one's own: what another Waybill wrote is read, and nothing else but response-v2. */
export const contractedReader: FormReader = { result: readContracted };
