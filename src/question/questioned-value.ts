import { createHash } from "node:crypto";
import { ToolFault } from "../contract/tool-fault.ts";
import { type JsonValue, isJsonObject } from "../json/json-value.ts";
import { decodeTables } from "../json/table/decode-tables.ts";
import type { QuestionRequest, SourceBytes } from "./question-messages.ts";

/** The value a question is put to, and the length of its text. */
export interface ReadSource {
  readonly value: JsonValue;
  readonly bytes: number;
}

/** Reads what was sent to the worker; throws a `ToolFault` where bytes are not what their hash says. */
export function readSource(source: QuestionRequest["source"]): ReadSource {
  if ("texts" in source) {
    const text = source.texts.join("");
    return { value: openText(JSON.parse(text) as JsonValue), bytes: text.length };
  }
  return { value: readBytes(source), bytes: source.bytes.byteLength };
}

function readBytes({ bytes, sha256, hasTables, isText }: SourceBytes): JsonValue {
  if (sha256 !== undefined && createHash("sha256").update(bytes).digest("hex") !== sha256)
    throw new ToolFault("The archive's bytes do not have the hash they are stored under.", {
      errorCode: "NOT_FOUND",
      remediation: "Call the tool again: what was archived is damaged.",
      details: { reason: "hash_mismatch" },
    });
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  if (isText) return openText(text);
  try {
    const value = JSON.parse(text) as JsonValue;
    return openText(hasTables ? decodeTables(value) : value);
  } catch {
    return openText(text);
  }
}

/** Servers hand over JSON as text: the question is about what it says. */
function openText(value: JsonValue): JsonValue {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    return value;
  }
}

/** A list or a plain value alone under `result` stands there because an envelope's data is an object. */
export function unwrapped(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const [key, second] = Object.keys(value);
  if (key !== "result" || second !== undefined) return value;
  const inner = value[key] ?? null;
  return isJsonObject(inner) ? value : openText(inner);
}
