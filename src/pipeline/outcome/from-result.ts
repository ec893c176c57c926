import { errorRegistry } from "../../contract/error-registry.ts";
import type { Fault, Outcome } from "../../contract/outcome.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import { parseJson } from "../../json/parse-json.ts";
import { envelopeIn } from "./envelope-in.ts";

export interface FromResult {
  readonly outcome: Outcome;
  readonly blocks: readonly JsonObject[];
  readonly meta: JsonObject | undefined;
}

/** JSON text becomes a value only if every number and key survives; otherwise it travels as text. */
function jsonIn(text: string): JsonValue | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.reordersKeys) return undefined;
  const { value } = parsed;
  const isStructure = typeof value === "object" && value !== null;
  return isStructure && parsed.findings.every(({ kind }) => kind === "lone-surrogate") ? value : undefined;
}

/** The JSON in texts; each is parsed once, since parsing a large one is most of what an answer costs. */
type ReadJson = (text: string) => JsonValue | undefined;

function readOnce(): ReadJson {
  const known = new Map<string, JsonValue | undefined>();
  return (text) => {
    if (!known.has(text)) known.set(text, jsonIn(text));
    return known.get(text);
  };
}

/** A text that only repeats what the structure says, as JSON or as its one text field. */
function repeats(text: string, structured: JsonValue, read: ReadJson): boolean {
  const json = read(text);
  if (json !== undefined && jsonEqual(json, structured)) return true;
  return isJsonObject(structured) && Object.values(structured).some((value) => value === text);
}

// SDKs write the failures of their own input checks in these words; they are about the input, not the tool.
const inputFailure = /^(?:MCP error -32602: )?Input validation error/;

function faultOf(texts: readonly string[], structured: JsonValue | undefined): Fault {
  const message = texts.join("\n").trim() || "The tool failed without a message";
  const code = inputFailure.test(message) ? "VALIDATION_ERROR" : "OPERATION_FAILED";
  const { type, remediation } = errorRegistry.get(code) ?? { type: "internal", remediation: "" };
  return {
    message,
    code,
    type,
    remediation,
    ...(isJsonObject(structured) && Object.keys(structured).length > 0 ? { details: structured } : {}),
  };
}

/** What the result's own words are: structure first, then the JSON of a lone text, then the text. */
function dataOf(texts: readonly string[], structured: JsonValue | undefined, read: ReadJson): JsonValue {
  if (structured === undefined) {
    const [only = "", ...more] = texts;
    return more.length === 0 ? (read(only) ?? only) : texts;
  }
  const more = texts.filter((text) => !repeats(text, structured, read));
  if (more.length === 0) return structured;
  return { result: structured, text: more.length === 1 ? (more[0] ?? "") : more };
}

/** A ready-made `CallToolResult` as an outcome; blocks that are no text travel on as they are. */
export function fromResult(result: JsonObject): FromResult {
  const content = Array.isArray(result["content"]) ? result["content"].filter(isJsonObject) : [];
  const texts = content.flatMap((block) =>
    block["type"] === "text" && typeof block["text"] === "string" ? [block["text"]] : [],
  );
  const blocks = content.filter((block) => block["type"] !== "text");
  const structured = result["structuredContent"];
  const meta = isJsonObject(result["_meta"]) ? result["_meta"] : undefined;
  const read = readOnce();
  const carried = envelopeIn(structured ?? read(texts[0] ?? "") ?? null);
  if (carried !== undefined) return { outcome: carried, blocks, meta };
  if (result["isError"] === true)
    return { outcome: { ok: false, fault: faultOf(texts, structured), notes: {} }, blocks, meta };
  const isEmpty = texts.length === 0 && structured === undefined;
  return {
    outcome: { ok: true, data: isEmpty ? {} : dataOf(texts, structured, read), notes: {} },
    blocks,
    meta,
  };
}
