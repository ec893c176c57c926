import { markIn } from "../../contract/contract-mark.ts";
import { type DialectId, isDialectId } from "../../contract/dialect-id.ts";
import { RESPONSE_VERSION } from "../../contract/meta.ts";
import { legacyErrorIn } from "../../contract/read-envelope.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { type JsonFinding, parseJson } from "../../json/parse-json.ts";
import { ERROR_PREFIX } from "./drf.ts";
import { jsonOrText, blockTexts } from "./result-rules.ts";
import { scalpelKeys } from "./scalpel.ts";

/** A guess at a dialect. `alternatives` names other dialects that the same shape would fit. */
export interface Detection {
  readonly dialect: DialectId;
  readonly level: "envelope" | "result";
  readonly because: string;
  readonly alternatives: readonly DialectId[];
}

const v2Keys = ["success", "data", "error", "meta"];

/** The JSON that a tool result carries, its place, and what its text loses when it is parsed. */
export interface Carried {
  readonly json: JsonValue;
  readonly path: string;
  readonly channel: "structured" | "text";
  readonly findings: readonly JsonFinding[];
}

/** The JSON of each text block that is JSON, in order. */
function jsonTexts({ content }: JsonObject): readonly Carried[] {
  const blocks: readonly JsonValue[] = Array.isArray(content) ? content : [];
  return blocks.flatMap((block, index): Carried[] => {
    if (!isJsonObject(block) || block["type"] !== "text" || typeof block["text"] !== "string") return [];
    const parsed = parseJson(block["text"]);
    if (!parsed.ok) return [];
    const { value: json, findings } = parsed;
    return [{ json, path: `/content/${index}/text`, channel: "text", findings }];
  });
}

function hasV2Keys({ json }: Carried): boolean {
  return isJsonObject(json) && v2Keys.every((key) => Object.hasOwn(json, key));
}

function isNotes({ json }: Carried): boolean {
  return isJsonObject(json) && Object.keys(json).join() === "meta";
}

/**
 * The envelope a tool result carries: in structuredContent, else in a text block. An author's own texts come before it,
 * so it is the last text with the four keys of response-v2, else the last that is JSON, except notes.
 */
export function envelopeOf(result: JsonObject): Carried | undefined {
  const structured = result["structuredContent"];
  if (structured !== undefined) {
    return { json: structured, path: "/structuredContent", channel: "structured", findings: [] };
  }
  const found = jsonTexts(result);
  const others = found.filter((text) => !isNotes(text));
  return found.findLast(hasV2Keys) ?? others.at(-1) ?? found.at(-1);
}

/** Whether the keys are scalpel's, with data or an error object. Data alone fits scalpel too, and much else. */
export function isScalpel(json: JsonObject): boolean {
  const { error } = json;
  const hasError = isJsonObject(error) && "error" in error && "error_code" in error;
  const isEnvelope = Object.keys(json).every((key) => scalpelKeys.includes(key));
  return isEnvelope && (hasError || (Object.hasOwn(json, "data") && (error ?? null) === null));
}

function guess(dialect: DialectId, because: string, alternatives: readonly DialectId[] = []): Detection {
  return { dialect, level: "envelope", because, alternatives };
}

/** `keys` are the root keys that are there: one of the four may be missing. */
function detectV2(json: JsonObject, keys: readonly string[]): Detection {
  const data = isJsonObject(json["data"]) ? json["data"] : {};
  if (json["success"] === false) {
    if (Object.keys(data).length > 0) return guess("response-v2", "a failure's data is structured");
    // Only the draft puts a failure's code there. Without a code, this is a response-v2 failure that lacks its code.
    const hasCode = isJsonObject(json["meta"]) && Object.hasOwn(json["meta"], "error_code");
    if (hasCode) return guess("response-v2-draft", "a failure's code is in meta", ["response-v2"]);
  } else if (Object.hasOwn(data, "_meta") || Object.hasOwn(data, "_warnings")) {
    return guess("response-v2-draft", "metadata is in data", ["response-v2"]);
  }
  return guess("response-v2", `the root has the keys ${keys.join(", ")}`, ["response-v2-draft"]);
}

/** The name of a value in which no envelope was recognised. */
export const BARE_PAYLOAD = "a bare payload";

/** If one root key is missing or misspelt, a boolean `success` or the version shows that an envelope was meant. */
function isMeant({ success, meta }: JsonObject): boolean {
  return typeof success === "boolean" || (isJsonObject(meta) && meta["version"] === RESPONSE_VERSION);
}

function detectEnvelope(json: JsonValue): Detection {
  if (!isJsonObject(json)) return guess("response-v1", BARE_PAYLOAD);
  const keys = v2Keys.filter((key) => Object.hasOwn(json, key));
  const known = keys.length;
  if (known === 4 || (known === 3 && isMeant(json))) return detectV2(json, keys);
  if (isScalpel(json)) {
    const others: DialectId[] = known === 3 ? ["response-v2", "response-v1"] : ["response-v1"];
    return guess("scalpel", "the keys are those of the scalpel envelope", others);
  }
  if (typeof json["error"] === "string" && Object.keys(json).length === 1) {
    return guess("response-v1", "the only key is error");
  }
  return guess("response-v1", BARE_PAYLOAD, json["success"] === undefined ? [] : ["response-v2"]);
}

/** Whether the result says only `{"error": "…"}`: a failure from before response-v2, with or without MCP's isError. */
function isLegacyFailure(result: JsonObject): boolean {
  const { structuredContent: structured } = result;
  const [only = "", ...more] = blockTexts(result);
  const json = more.length === 0 ? jsonOrText(only) : undefined;
  if (json === undefined || legacyErrorIn(json) === undefined) return false;
  return structured === undefined || jsonEqual(json, structured);
}

function detectResult(result: JsonObject): Detection {
  const [text = ""] = blockTexts(result);
  if (text.startsWith(ERROR_PREFIX)) {
    return { ...guess("drf", "the text starts with the drf error prefix", ["plain"]), level: "result" };
  }
  const carried = envelopeOf(result);
  const inner = carried === undefined ? undefined : detectEnvelope(carried.json);
  if (inner !== undefined && inner.dialect !== "response-v1") return { ...inner, level: "result" };
  if (isLegacyFailure(result)) {
    return {
      ...guess("response-v1", "the only key of its text is error", ["plain", "drf"]),
      level: "result",
    };
  }
  // A drf success is JSON text without isError; response-v1 may use either channel.
  const mayBeDrf = carried?.channel === "text" && result["isError"] === undefined;
  const alternatives: DialectId[] = [
    ...(mayBeDrf ? (["drf"] as const) : []),
    ...(inner === undefined ? [] : (["response-v1"] as const)),
  ];
  return { ...guess("plain", "an MCP result without an envelope", alternatives), level: "result" };
}

function dialectNamedIn(json: JsonValue): DialectId | undefined {
  const meta = isJsonObject(json) ? json["_meta"] : undefined;
  const named = markIn(meta)?.["dialect"];
  return isDialectId(named) ? named : undefined;
}

/** True for a tool result, even without its content; an envelope with `success` is not a tool result. */
export function looksLikeResult(json: JsonValue): json is JsonObject {
  if (!isJsonObject(json)) return false;
  if (dialectNamedIn(json) !== undefined) return true;
  if (Object.hasOwn(json, "success")) return false;
  return Array.isArray(json["content"]) || isJsonObject(json["structuredContent"]);
}

const resultKeys = ["content", "structuredContent", "isError", "_meta"];

/** True for what means to be a tool result, even one that is broken. */
export function hasResultKeys(json: JsonValue): boolean {
  return isJsonObject(json) && resultKeys.some((key) => Object.hasOwn(json, key));
}

/**
 * The dialect of a JSON value, in this order: what the result's `_meta["waybill/contract"]` says; for a tool result its
 * error prefix, then the envelope it carries; the four keys of response-v2, or three and its version; scalpel's keys; a
 * lone `error` text; else a bare payload. With `level` "envelope" the value is not a tool result.
 */
export function detectDialect(json: JsonValue, level?: "envelope" | "result"): Detection {
  const named = dialectNamedIn(json);
  if (named !== undefined) return { ...guess(named, "the result's _meta names it"), level: "result" };
  return level !== "envelope" && looksLikeResult(json) ? detectResult(json) : detectEnvelope(json);
}
