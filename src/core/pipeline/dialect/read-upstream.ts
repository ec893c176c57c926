// Reads what a server that is not ours says, in any form: response-v2, the guide of 000, scalpel, drf. A recognised
// form is read and never wrapped again. Anything uncertain stays data.

import { markIn } from "../../contract/contract-mark.ts";
import { type DialectChoice, isDialectId } from "../../contract/dialect-id.ts";
import type { Outcome } from "../../contract/outcome.ts";
import { readEnvelope } from "../../contract/read-envelope.ts";
import { wrapData } from "../../contract/envelope.ts";
import { AS_SENT } from "../../contract/wire-names.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import type { FormReader, ReadForm } from "../pipeline-context.ts";
import { isScalpel } from "./detect-dialect.ts";
import { ERROR_PREFIX } from "./drf.ts";
import { dialects } from "./dialects.ts";
import { liftNotes } from "./response-v2-draft.ts";
import { blockTexts } from "./result-rules.ts";
import { ContractError } from "../../contract/contract-error.ts";
import { remediationFor } from "../../contract/remediation.ts";
import type { Loss } from "./dialect.ts";
import { readResponse } from "./translate.ts";

interface UpstreamForm {
  /** The only form that is recognised; `auto` recognises every form that is unambiguous. */
  readonly speaks: DialectChoice;
  /** The server is known to speak scalpel, so `{"data": …}` alone is its envelope. */
  readonly isScalpel?: boolean | undefined;
  /** Clients were shown a schema that says the data is an object. */
  readonly isTyped?: boolean | undefined;
  /** False if clients were shown a schema that the data without its envelope would not meet. */
  readonly mayUnwrap?: boolean | undefined;
}

/** Keys that a scalpel envelope has and ordinary data does not; `data` with `meta`, `error` or an id is common. */
const scalpelSigns = ["tier", "tool_version", "tool_id", "upgrade_hints"];

/** The dialect in the result's own mark. If the blocks are the server's, the mark says nothing about their form. */
function namedIn(meta: JsonObject | undefined): DialectChoice | undefined {
  const { dialect, content } = markIn(meta) ?? {};
  return isDialectId(dialect) && content !== AS_SENT ? dialect : undefined;
}

/** A page as printed in source 004 has no `error`. */
function asWhole(json: JsonObject): JsonObject {
  return json["success"] === true && !Object.hasOwn(json, "error") ? { ...json, error: null } : json;
}

/** A failure's code is in `data`; in the guide of 000, whose data is empty, it is in `meta` or missing. */
function readFailure(json: JsonObject, outcome: Outcome): ReadForm {
  const { data, meta } = json as { data: JsonObject; meta: JsonObject };
  const isEnvelope = true;
  if (["error_code", "error_type"].some((key) => typeof data[key] === "string"))
    return { outcome, isEnvelope, isCoded: true };
  if (Object.keys(data).length > 0 || typeof meta["error_code"] !== "string")
    return { outcome, isEnvelope, isCoded: false };
  return { outcome: dialects["response-v2-draft"].read(json), isEnvelope, isCoded: true };
}

function readV2(json: JsonObject, speaks: DialectChoice): ReadForm | undefined {
  const whole = asWhole(json);
  const outcome = readEnvelope(whole);
  if (outcome === undefined) return undefined;
  if (!outcome.ok) return readFailure(whole, outcome);
  // If the server is known to speak response-v2, `_meta` in its data is data.
  return {
    outcome: speaks === "response-v2" ? outcome : liftNotes(outcome),
    isEnvelope: true,
    isCoded: true,
  };
}

function showsScalpel(json: JsonObject): boolean {
  const { error, capabilities } = json;
  if (isJsonObject(error) || scalpelSigns.some((key) => Object.hasOwn(json, key))) return true;
  return Array.isArray(capabilities) && capabilities.includes("envelope-v1");
}

function readScalpel(json: JsonObject, form: UpstreamForm): ReadForm | undefined {
  const isSure = form.speaks === "scalpel" || form.isScalpel === true || showsScalpel(json);
  if (!isSure || !isScalpel(json)) return undefined;
  const { scalpel } = dialects;
  if (scalpel.check(json, {}).some(({ severity }) => severity === "MUST")) return undefined;
  const outcome = withAdvice(scalpel.read(json), scalpel.losses);
  if (!outcome.ok) return { outcome, isEnvelope: true, isCoded: true };
  if (form.mayUnwrap === false) return undefined;
  const data = form.isTyped === true ? wrapData(outcome.data) : outcome.data;
  return { outcome: { ...outcome, data }, isEnvelope: true, isCoded: true };
}

const v2Forms: readonly DialectChoice[] = ["auto", "response-v2", "response-v2-draft"];

function envelopeOf(json: JsonValue, meta: JsonObject | undefined, form: UpstreamForm): ReadForm | undefined {
  if (!isJsonObject(json)) return undefined;
  const named = namedIn(meta);
  const speaks = named ?? form.speaks;
  // A gateway in between writes its own answers in response-v2, whatever its mark says of the rest.
  const v2 = named !== undefined || v2Forms.includes(speaks) ? readV2(json, speaks) : undefined;
  if (v2 !== undefined) return v2;
  return speaks === "auto" || speaks === "scalpel" ? readScalpel(json, { ...form, speaks }) : undefined;
}

/** A failure of drf is a text with a prefix, which is not part of the message. */
function drfFailureOf(result: JsonObject, { speaks }: UpstreamForm): ReadForm | undefined {
  const isTold = speaks === "drf";
  if (!isTold && !(speaks === "auto" && result["isError"] === true)) return undefined;
  const [first = ""] = blockTexts(result);
  if (!first.startsWith(ERROR_PREFIX)) return undefined;
  const outcome = dialects.drf.read({ ...result, isError: true });
  return { outcome, isEnvelope: false, isCoded: false };
}

function resultOf(result: JsonObject, form: UpstreamForm): ReadForm | undefined {
  const named = readContracted(result);
  if (named === undefined) return drfFailureOf(result, form);
  const { outcome } = named;
  if (!outcome.ok || !named.isEnvelope) return named;
  if (form.mayUnwrap === false) return undefined;
  return form.isTyped === true ? { ...named, outcome: { ...outcome, data: wrapData(outcome.data) } } : named;
}

/** Reads what a server of this form sends. */
export function upstreamReader(form: UpstreamForm): FormReader {
  return {
    envelope: (json, meta) => envelopeOf(json, meta, form),
    result: (result) => resultOf(result, form),
  };
}

function isText({ type }: JsonObject): boolean {
  return type === "text";
}

/** If the dialect has no place for the remediation, the registry's remediation for the code replaces it. */
function withAdvice(outcome: Outcome, losses: readonly Loss[]): Outcome {
  if (outcome.ok || outcome.fault.remediation !== undefined) return outcome;
  if (!losses.some(({ path }) => path === "/fault/remediation")) return outcome;
  const remediation = remediationFor(outcome.fault.code, outcome.fault.details);
  return remediation === undefined ? outcome : { ...outcome, fault: { ...outcome.fault, remediation } };
}

/**
 * What another Waybill server wrote, in the dialect its result names. Undefined if the result names none, if the
 * author's own texts are beside the wire form, and for a failure of which plain MCP or the legacy form says only a
 * text.
 */
function readContracted(result: JsonObject): ReadForm | undefined {
  const named = markIn(result["_meta"])?.["dialect"];
  if (!isDialectId(named)) return undefined;
  const content = Array.isArray(result["content"]) ? result["content"].filter(isJsonObject) : [];
  const words = { ...result, content: content.filter(isText) };
  // At most the wire form's text, and its notes.
  if (blockTexts(words).length > 2) return undefined;
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
