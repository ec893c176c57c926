import type { DialectId } from "../contract/dialect-id.ts";
import type { Outcome } from "../contract/outcome.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { read as readV2 } from "../pipeline/dialect/response-v2/read.ts";
import { type Answer, type Called, toAnswer } from "./answer.ts";
import { invalidResponse } from "./client-faults.ts";
import { ResponseError } from "./response-error.ts";

export interface ReadOptions {
  /** Every rule of the contract counts, SHOULD too; the validator is loaded for it. */
  readonly strict?: boolean;
}

function blocksOf({ content }: JsonObject): readonly JsonObject[] {
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

function firstText(result: JsonObject): string | undefined {
  const block = blocksOf(result).find(({ type }) => type === "text");
  return typeof block?.["text"] === "string" ? block["text"] : undefined;
}

function namedDialect({ _meta }: JsonObject): unknown {
  const contract = isJsonObject(_meta) ? _meta["waybill/contract"] : undefined;
  return isJsonObject(contract) ? contract["dialect"] : undefined;
}

/** What may be an envelope: the structure, else the JSON of the first text. */
function carriedBy(result: JsonObject): JsonValue | undefined {
  const structured = result["structuredContent"];
  if (structured !== undefined) return structured;
  const text = firstText(result);
  if (text === undefined || !/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** True for the four keys of response-v2, whose reader is small enough to be always there. */
function isV2(json: JsonValue | undefined): json is JsonObject {
  if (!isJsonObject(json) || typeof json["success"] !== "boolean") return false;
  return "data" in json && "error" in json && "meta" in json;
}

function assertReadable(json: JsonObject, called: Called): void {
  const { success, data, error, meta } = json;
  const requestId = isJsonObject(meta) ? meta["request_id"] : undefined;
  const refuse = (says: string): never => {
    throw invalidResponse(says, called, typeof requestId === "string" ? requestId : undefined);
  };
  if (!isJsonObject(data)) refuse("data is no object");
  if (!isJsonObject(meta)) refuse("meta is no object");
  if (success === true && (error ?? null) !== null) refuse("success is true, but there is an error");
  if (success === false && (typeof error !== "string" || error === "")) refuse("it failed without a message");
}

async function readOther(
  result: JsonObject,
  called: Called,
): Promise<{ readonly outcome: Outcome; readonly dialect: DialectId }> {
  // Every other dialect and plain MCP results: larger readers, loaded by those who meet them.
  const { readResponse } = await import("../pipeline/dialect/translate.ts");
  const { detectDialect } = await import("../pipeline/dialect/detect-dialect.ts");
  try {
    return { outcome: readResponse(result), dialect: detectDialect(result).dialect };
  } catch (error) {
    throw invalidResponse(
      error instanceof Error ? error.message : "it cannot be read",
      called,
      undefined,
      error,
    );
  }
}

async function assertStrict(
  result: JsonObject,
  called: Called,
  requestId: string | undefined,
): Promise<void> {
  const { validateResponse } = await import("../pipeline/dialect/validate-response.ts");
  const { violations } = validateResponse(result);
  const [first] = violations;
  if (first === undefined) return;
  const rules = violations.map(({ rule }) => rule);
  throw invalidResponse(
    `${first.rule} at ${first.path || "the root"}: ${first.message}`,
    called,
    requestId,
    undefined,
    {
      rules,
    },
  );
}

function settle(outcome: Outcome, dialect: DialectId, result: JsonObject, called: Called): Answer {
  if (!outcome.ok) throw new ResponseError(outcome.fault, outcome.notes);
  const blocks = blocksOf(result).filter(({ type }) => type !== "text");
  return toAnswer({ data: outcome.data, notes: outcome.notes, dialect, blocks, called });
}

/** What a tool result says, whatever its dialect; throws a ResponseError for a failure and for what cannot be read. */
export async function readResult(
  result: unknown,
  called: Called,
  { strict }: ReadOptions = {},
): Promise<Answer> {
  if (!isJsonObject(result)) throw invalidResponse("it is no tool result", called);
  const named = namedDialect(result);
  const carried = named === undefined || named === "response-v2" ? carriedBy(result) : undefined;
  if (!isV2(carried)) {
    const { outcome, dialect } = await readOther(result, called);
    if (strict === true) await assertStrict(result, called, outcome.notes.requestId);
    return settle(outcome, dialect, result, called);
  }
  assertReadable(carried, called);
  const outcome = readV2(carried);
  if (strict === true) await assertStrict(result, called, outcome.notes.requestId);
  return settle(outcome, "response-v2", result, called);
}
