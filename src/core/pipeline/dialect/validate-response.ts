import { type ResponseLevel, responseLevels } from "../../contract/choices.ts";
import { ContractError } from "../../contract/contract-error.ts";
import { type DialectId, toDialectId } from "../../contract/dialect-id.ts";
import { type Violation, defineRules, violate } from "../../contract/rule.ts";
import { decodeUtf8 } from "../../json/decode-utf8.ts";
import { isCleanJson } from "../../json/find-non-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { parseJson } from "../../json/parse-json.ts";
import {
  BARE_PAYLOAD,
  type Carried,
  type Detection,
  detectDialect,
  envelopeOf,
  hasResultKeys,
  looksLikeResult,
} from "./detect-dialect.ts";
import type { CheckFacts, Dialect } from "./dialect.ts";
import { dialects } from "./dialects.ts";
import { jsonRules, settleValue, violationsOfText, violationsOfValue } from "./json-rules.ts";
import { checkToolResult, isOurs } from "./result-rules.ts";

export interface ValidateOptions {
  /** Default: detected. */
  readonly dialect?: DialectId | undefined;
  /** Whether the value is an envelope or an MCP tool result that carries one. Default: detected. */
  readonly level?: ResponseLevel | undefined;
  /** The server's tiers, lowest first; scalpel only. Default: community, pro, enterprise. */
  readonly tiers?: readonly string[] | undefined;
}

export interface Verdict {
  /** False only when a MUST is broken. */
  readonly valid: boolean;
  /** Undefined if no dialect was named, and the input is not JSON or has no known envelope. */
  readonly dialect: DialectId | undefined;
  readonly level: "envelope" | "result" | undefined;
  readonly violations: readonly Violation[];
  /** Other dialects that the same shape would fit, if the dialect was detected. */
  readonly alternatives: readonly DialectId[];
}

/** A verdict with the detected dialect that it rests on; undefined if the dialect was named. */
export interface JudgedResponse {
  readonly verdict: Verdict;
  readonly detection: Detection | undefined;
}

/** Rules that apply before a dialect is known. */
export const recognitionRules = defineRules("json", {
  "envelope/missing": {
    severity: "MUST",
    says: "The response shows its dialect: it has an envelope, or it is an MCP tool result.",
    fix: "Send an envelope, as successResponse() builds it; or name the dialect, such as response-v1 for a bare payload.",
    source: "docs/dialects.md, Detection",
  },
});

/** Rules on a tool result that carries an envelope of one of the envelope dialects. */
export const carrierRules = defineRules("result", {
  "result/envelope-missing": {
    severity: "MUST",
    says: "The result carries an envelope as structuredContent or as JSON text.",
    fix: "Send the envelope as structuredContent and its JSON as text.",
    source: "docs/contract.md, DRF and JSON-RPC",
  },
  "result/is-error": {
    severity: "MUST",
    says: "isError is not true when the envelope is a success; in a result that names its contract, it is true exactly when the envelope is a failure.",
    fix: "Set isError to true on failure and leave it out on success.",
    source: "docs/contract.md, Envelope",
  },
  "result/is-error-missing": {
    severity: "SHOULD",
    says: "isError is true when the envelope of a server without a contract is a failure.",
    fix: "Set isError to true on failure: most clients look nowhere else.",
    source: "docs/contract.md, Envelope",
  },
});

const isBroken = (violation: Violation): boolean => violation.severity === "MUST";

const hasPath = (violations: readonly Violation[], path: string): boolean =>
  violations.some((violation) => violation.path === path);

/** A violation inside an envelope, placed in the result around it; a pointer cannot lead into a text. */
function relocate(violation: Violation, { channel, path }: Carried): Violation {
  if (channel === "structured") return { ...violation, path: path + violation.path };
  const place = violation.path === "" ? "its root" : violation.path;
  return { ...violation, path, message: `In the JSON of this text, at ${place}: ${violation.message}` };
}

function checkCarried(dialect: Dialect, result: JsonObject, facts: CheckFacts): Violation[] {
  const found = checkToolResult(result);
  if (found.some(isBroken)) return found;
  const carried = envelopeOf(result);
  if (carried === undefined)
    return [violate(carrierRules["result/envelope-missing"], "", "The result carries no envelope")];
  const inner = [...violationsOfText(carried.findings), ...dialect.check(carried.json, facts)].map(
    (violation) => relocate(violation, carried),
  );
  if (inner.some(isBroken)) return [...found.filter(({ path }) => !hasPath(inner, path)), ...inner];
  return [...found, ...inner, ...checkFlag(!dialect.read(carried.json).ok, result)];
}

/** The servers that the contract comes from never set isError, so their failures can be read without it. */
function checkFlag(failed: boolean, result: JsonObject): Violation[] {
  if (failed === (result["isError"] === true)) return [];
  const isLenient = failed && !isOurs(result);
  const rule = carrierRules[isLenient ? "result/is-error-missing" : "result/is-error"];
  const found = `The envelope is a ${failed ? "failure" : "success"}, isError says otherwise`;
  return [violate(rule, "/isError", found)];
}

function checkAtLevel(
  dialect: Dialect,
  level: "envelope" | "result",
  json: JsonValue,
  facts: CheckFacts,
): Violation[] {
  // A bare payload: every JSON value is one.
  if (dialect.level === "result" && level === "envelope") return [];
  if (dialect.level === "result" || level === "envelope") return dialect.check(json, facts);
  return isJsonObject(json) ? checkCarried(dialect, json, facts) : checkToolResult(json);
}

function chooseLevel(json: JsonValue, id: DialectId, asked: ResponseLevel): "envelope" | "result" {
  const { level, takesBarePayloads = false } = dialects[id];
  if (level === "result") {
    const isBare = takesBarePayloads && asked !== "result" && !hasResultKeys(json);
    return isBare ? "envelope" : "result";
  }
  if (asked !== "auto") return asked;
  return looksLikeResult(json) ? "result" : "envelope";
}

/** Any JSON would pass as a bare payload, so it counts as one only if the caller says so. */
function unrecognised({ alternatives }: Detection, before: readonly Violation[]): Verdict {
  const missing = violate(recognitionRules["envelope/missing"], "", "No envelope was recognised");
  return {
    valid: false,
    dialect: undefined,
    level: "envelope",
    violations: [...before, missing],
    alternatives: [...alternatives, "response-v1"],
  };
}

/** Judges a parsed value; `before` are violations already found in its text. */
function judgeParsed(
  json: JsonValue,
  options: ValidateOptions,
  before: readonly Violation[] = [],
): JudgedResponse {
  const asked = options.level ?? "auto";
  const detected =
    options.dialect === undefined ? detectDialect(json, asked === "auto" ? undefined : asked) : undefined;
  if (detected?.because === BARE_PAYLOAD && asked !== "result")
    return { verdict: unrecognised(detected, before), detection: detected };
  const id = options.dialect ?? detected?.dialect ?? "response-v2";
  const level = chooseLevel(json, id, asked);
  // A number that became Infinity is one fault, even if a dialect has its own rule about Infinity in that place.
  const outOfRange = before.filter(({ rule }) => rule === "json/number-range");
  const found = checkAtLevel(dialects[id], level, json, options).filter(
    ({ path }) => !hasPath(outOfRange, path),
  );
  const violations = [...before, ...found];
  const verdict: Verdict = {
    valid: !violations.some(isBroken),
    dialect: id,
    level,
    violations,
    alternatives: detected?.alternatives ?? [],
  };
  return { verdict, detection: detected };
}

function checkOptions(options: ValidateOptions): void {
  if (options.dialect !== undefined) toDialectId(options.dialect);
  const { level = "auto" }: { readonly level?: unknown } = options;
  if (!responseLevels.some((known) => known === level)) {
    throw new ContractError(
      "INVALID_OPTION",
      `Unknown level "${String(level)}": choose one of ${responseLevels.join(", ")}.`,
    );
  }
}

function broken(options: ValidateOptions, violations: readonly Violation[]): Verdict {
  return { valid: false, dialect: options.dialect, level: undefined, violations, alternatives: [] };
}

/**
 * Judges a response that is already parsed.
 *
 * @example
 * validateResponse({ success: true, data: {}, error: null, meta: { version: "response-v2" } }).valid; // true
 */
export function validateResponse(json: unknown, options: ValidateOptions = {}): Verdict {
  checkOptions(options);
  return judgeResponse(json, options).verdict;
}

/** `validateResponse` for options that are already checked, with the detected dialect. */
export function judgeResponse(json: unknown, options: ValidateOptions): JudgedResponse {
  // Nearly every value is clean, and one quick walk shows it. The walk does not search strings for half a surrogate
  // pair: that would double its cost, and JSON.stringify carries one unharmed.
  if (isCleanJson(json)) return judgeParsed(json as JsonValue, options);
  const violations = violationsOfValue(json);
  if (violations.length > 0) return { verdict: broken(options, violations), detection: undefined };
  return judgeParsed(settleValue(json as JsonValue), options);
}

/** Judges a response as text or bytes, which shows more: duplicate keys, numbers that lose digits, bad UTF-8. */
export function validateText(source: string | Uint8Array, options: ValidateOptions = {}): Verdict {
  checkOptions(options);
  return judgeRead(parseResponseText(source), options).verdict;
}

/** The value in a text or its bytes, undefined if they are not JSON, and what is wrong with them. */
export interface ParsedText {
  readonly value: JsonValue | undefined;
  readonly violations: readonly Violation[];
}

/** Decodes and parses, for a caller who looks at the value before it is judged. */
export function parseResponseText(source: string | Uint8Array): ParsedText {
  const decoded = typeof source === "string" ? { ok: true as const, text: source } : decodeUtf8(source);
  if (!decoded.ok) {
    const [found = ""] = decoded.message.split(". ");
    return { value: undefined, violations: [violate(jsonRules["json/encoding"], "", found)] };
  }
  const parsed = parseJson(decoded.text);
  return { value: parsed.ok ? parsed.value : undefined, violations: violationsOfText(parsed.findings) };
}

/** Judges what `readText` read. */
export function judgeRead({ value, violations }: ParsedText, options: ValidateOptions): JudgedResponse {
  if (value === undefined) return { verdict: broken(options, violations), detection: undefined };
  return judgeParsed(value, options, violations);
}
