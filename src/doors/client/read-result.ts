import { resolveReferences } from "../../core/contract/block-reference.ts";
import { markIn, withoutWrapper } from "../../core/contract/contract-mark.ts";
import { NOTES_META_KEY } from "../../core/contract/wire-names.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import { type Notes, type Outcome, type Success, fidelityLevels } from "../../core/contract/outcome.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonObjectIn } from "../../core/json/json-value.ts";
import { hasUnsafeInteger } from "../../core/json/unsafe-integers.ts";
import { readMeta, readResponseV2 } from "../../core/contract/read-meta.ts";
import { type Answer, type Called, toAnswer, authorsOf } from "./answer.ts";
import { invalidResponse } from "./client-faults.ts";
import { ResponseError } from "../../core/contract/response-error.ts";

export interface ReadOptions {
  /** The dialect the client was told to expect; used if the result names none and is not a response-v2 envelope. */
  readonly dialect?: DialectId | undefined;
  /** Every rule of the contract counts, including SHOULD rules; the validator is loaded for it. */
  readonly strict?: boolean;
  /** The id that the call was made with; it is also the id of an answer that does not repeat it. */
  readonly requestId?: string | undefined;
}

function blocksOf({ content }: JsonObject): readonly JsonObject[] {
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

function textsOf(result: JsonObject): readonly string[] {
  return blocksOf(result).flatMap(({ type, text }) =>
    type === "text" && typeof text === "string" ? [text] : [],
  );
}

function objectIn(text: string): JsonObject | undefined {
  return /^\s*\{/.test(text) ? jsonObjectIn(text) : undefined;
}

/** The candidate for an envelope: the structure, else the JSON of a text. The author's own texts come before it. */
function carriedBy(result: JsonObject): JsonValue | undefined {
  const structured = result["structuredContent"];
  if (structured !== undefined) return structured;
  const found = textsOf(result).flatMap((text) => objectIn(text) ?? []);
  return found.findLast(isV2) ?? found.at(-1);
}

/**
 * True for the four keys of response-v2, whose reader is small enough to be always loaded. A page in source 004 has no
 * `error`; a failure without `error` says too little to be read.
 */
function isV2(json: JsonValue | undefined): json is JsonObject {
  if (!isJsonObject(json) || typeof json["success"] !== "boolean") return false;
  return "data" in json && "meta" in json && ("error" in json || json["success"]);
}

/** The draft has the same four keys: its failures have their code in `meta`, and its notes may be in the data. */
function mayBeDraft({ success, data, meta }: JsonObject): boolean {
  if (success === false) return isJsonObject(meta) && "error_code" in meta;
  return isJsonObject(data) && ("_meta" in data || "_warnings" in data);
}

/** Values that change with every call are in the result's `_meta`, in all dialects and all profiles except minimal. */
function callNotes({ _meta }: JsonObject, sentId: string | undefined): Notes {
  const said = isJsonObject(_meta) ? _meta[NOTES_META_KEY] : undefined;
  const isRead = isJsonObject(said) && !whyUnreadable({ success: true, data: {}, error: null, meta: said });
  const { requestId = sentId, rateLimit, telemetry } = isRead ? readMeta(said) : {};
  return {
    ...(requestId === undefined ? {} : { requestId }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(telemetry === undefined ? {} : { telemetry }),
  };
}

/** The id to report a response by, even if the response cannot be read. */
function requestIdOf(result: JsonObject, sentId: string | undefined): string | undefined {
  const carried = carriedBy(result);
  const { meta, request_id: atRoot } = isJsonObject(carried) ? carried : {};
  const id = (isJsonObject(meta) ? meta["request_id"] : undefined) ?? atRoot;
  return typeof id === "string" ? id : callNotes(result, sentId).requestId;
}

/** Dialects whose failures are only a text. */
const uncoded: readonly DialectId[] = ["plain", "drf", "response-v1"];

/** Gives a failure without a code the code that its words mean, by the rules of the gateway. */
async function withCode(outcome: Outcome, isCoded: boolean, result: JsonObject): Promise<Outcome> {
  if (outcome.ok || isCoded) return outcome;
  const { nameBareFailure } = await import("./name-failure.ts");
  return nameBareFailure(outcome, result);
}

async function readOther(
  result: JsonObject,
  called: Called,
  told: DialectId | undefined,
  sentId: string | undefined,
): Promise<{ readonly outcome: Outcome; readonly dialect: DialectId }> {
  // Every other dialect and plain MCP results: larger readers, loaded when first needed.
  const { readResponse } = await import("../../core/pipeline/dialect/translate.ts");
  const { detectDialect, envelopeOf } = await import("../../core/pipeline/dialect/detect-dialect.ts");
  // Blocks that are not text are returned separately, and do not change the data.
  const words = Array.isArray(result["content"])
    ? { ...result, content: blocksOf(result).filter(({ type }) => type === "text") }
    : result;
  // The legacy form looks like any payload, so it counts only if expected; other dialects are recognised by their form.
  const from = told === "response-v1" && envelopeOf(words) !== undefined ? told : undefined;
  try {
    const dialect = from ?? detectDialect(words).dialect;
    const outcome = await withCode(readResponse(words, from), !uncoded.includes(dialect), words);
    return { outcome, dialect };
  } catch (error) {
    const says = error instanceof Error ? error.message : "it cannot be read";
    throw invalidResponse(says, called, requestIdOf(result, sentId), error);
  }
}

async function assertStrict(
  result: JsonObject,
  called: Called,
  requestId: string | undefined,
): Promise<void> {
  const { validateResponse } = await import("../../core/pipeline/dialect/validate-response.ts");
  const { violations } = validateResponse(result);
  const [first] = violations;
  if (first === undefined) return;
  const rules = violations.map(({ rule }) => rule);
  throw invalidResponse(
    `${first.rule} at ${first.path || "the root"}: ${first.message}`,
    called,
    requestId,
    undefined,
    { rules },
  );
}

/** What the tool's author wrote beside the data. Most results have none: their only text repeats the structure. */
async function blocksBeside(
  result: JsonObject,
  outcome: Outcome,
  dialect: DialectId,
): Promise<readonly JsonObject[]> {
  const blocks = blocksOf(result);
  const [only, ...more] = textsOf(result);
  const { structuredContent: structured } = result;
  const isAllSaid =
    more.length === 0 &&
    (only === undefined || structured === undefined || only === JSON.stringify(structured));
  if (isAllSaid) return blocks.filter(({ type }) => type !== "text");
  const { authoredBlocks } = await import("./authored-blocks.ts");
  return authoredBlocks(result, blocks, outcome, dialect);
}

/** What the tool returned: without the contract's wrapper key, and with references to blocks resolved. */
function dataOf({ data }: Success, result: JsonObject): JsonValue {
  const { _meta: meta } = result;
  if (markIn(meta) === undefined) return data;
  return resolveReferences(withoutWrapper(data, meta), blocksOf(result));
}

async function settle(
  outcome: Outcome,
  dialect: DialectId,
  result: JsonObject,
  called: Called,
  sentId: string | undefined,
): Promise<Answer> {
  const said = { ...callNotes(result, sentId), ...outcome.notes };
  const authors = authorsOf(result["_meta"]);
  if (!outcome.ok) {
    const error = new ResponseError(outcome.fault, said);
    error.by = authors.ofFailure;
    throw error;
  }
  const data = dataOf(outcome, result);
  const notes = hasUnsafeInteger(data)
    ? (await import("../../core/contract/rounded-numbers.ts")).withRoundingTold(data, said)
    : said;
  const blocks = await blocksBeside(result, outcome, dialect);
  return toAnswer({
    data,
    notes,
    dialect,
    blocks,
    called,
    authors,
  });
}

/** Parses a tool result of any dialect; throws a ResponseError for a failure and for a result that cannot be read. */
export async function readResult(
  given: unknown,
  called: Called,
  { strict, dialect: expected, requestId: sentId }: ReadOptions = {},
): Promise<Answer> {
  if (!isJsonObject(given)) throw invalidResponse("it is not a tool result", called);
  // The first text or key of a result between lines; what takes them off is loaded for the first of these.
  const first = textsOf(given)[0] ?? Object.keys(Object(given["structuredContent"]))[0] ?? "";
  const isBetweenLines = /^\[?[0-9a-f]{12}/.test(first);
  const result = isBetweenLines
    ? (await import("../../core/contract/fence-lines.ts")).withoutFence(given)
    : given;
  const named = markIn(result["_meta"])?.["dialect"];
  const carried = named === undefined || named === "response-v2" ? carriedBy(result) : undefined;
  if (strict === true) await assertStrict(result, called, requestIdOf(result, sentId));
  if (!isV2(carried) || (named === undefined && mayBeDraft(carried))) {
    const told = named === undefined ? expected : undefined;
    const { outcome, dialect } = await readOther(result, called, told, sentId);
    return settle(outcome, dialect, result, called, sentId);
  }
  const broken = whyUnreadable(carried);
  if (broken !== undefined) throw invalidResponse(broken, called, requestIdOf(result, sentId));
  const { data } = carried;
  const isCoded = isJsonObject(data) && ("error_code" in data || "error_type" in data);
  const outcome = await withCode(readResponseV2(carried), isCoded, result);
  return settle(outcome, "response-v2", result, called, sentId);
}

type Check = (value: JsonValue) => boolean;

const HASH = /^sha256:[0-9a-f]{64}$/;

function isText(value: JsonValue): value is string {
  return typeof value === "string";
}

function listOf(isItem: Check): Check {
  return (value) => Array.isArray(value) && value.every(isItem);
}

/** An object whose named keys pass their checks if they have a value; other keys belong to the author. */
function objectWith(checks: Readonly<Record<string, Check>>): Check {
  return (value) =>
    isJsonObject(value) &&
    Object.entries(checks).every(
      ([key, passes]) => (value[key] ?? null) === null || passes(value[key] ?? null),
    );
}

const isNumber: Check = (value) => typeof value === "number";
const isHashed: Check = (value) =>
  isJsonObject(value) && Object.values(value).every((hash) => isText(hash) && HASH.test(hash));

/** The parts of `meta` that this client acts on; all other parts are only passed on. */
const metaChecks: Readonly<Record<string, Check>> = {
  request_id: isText,
  warnings: listOf(isText),
  warning_details: listOf((value) => isJsonObject(value) && isText(value["message"] ?? null)),
  pagination: objectWith({ cursor: isText, has_more: (value) => typeof value === "boolean" }),
  rate_limit: objectWith({ remaining: isNumber, retry_after: isNumber, reset_at: isText }),
  content_fidelity: (value) => fidelityLevels.some((level) => level === value),
  dropped_content_ids: listOf(isText),
  content_archive_hashes: isHashed,
};

function brokenNote(meta: JsonObject): string | undefined {
  return Object.keys(metaChecks).find((key) => {
    const value = meta[key] ?? null;
    return value !== null && metaChecks[key]?.(value) === false;
  });
}

/** Why a response-v2 envelope cannot be relied on; undefined if it can. The full rules belong to strict mode. */
function whyUnreadable({ success, data, error, meta }: JsonObject): string | undefined {
  if (!isJsonObject(data)) return "data is not an object";
  if (!isJsonObject(meta)) return "meta is not an object";
  if (success === true && (error ?? null) !== null) return "success is true, but there is an error";
  if (success === false && (typeof error !== "string" || error === "")) return "it failed without a message";
  const key = brokenNote(meta);
  return key === undefined ? undefined : `meta.${key} has the wrong form`;
}
