import type { DigestPayload } from "../../contract/digest-payload.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { PayloadError } from "./payload-error.ts";
import { validatePayload } from "./validate-payload.ts";

export interface SerializeOptions {
  /** Byte for byte what the system of the seed writes: sorted keys, a space after `,` and `:`, 1.0 for 1. */
  readonly compat?: "foundry";
}

const order: readonly string[] = [
  "version",
  "content_type",
  "query_hash",
  "summary",
  "key_points",
  "evidence_snippets",
  "original_chars",
  "digest_chars",
  "compression_ratio",
  "source_text_hash",
] satisfies readonly (keyof DigestPayload)[];

/** A payload as the text of a source: compact JSON, the seed's keys in its order, then any others by name. */
export function serializePayload(payload: DigestPayload, { compat }: SerializeOptions = {}): string {
  validatePayload(payload);
  if (compat === "foundry") return pythonJson(payload as unknown as JsonValue);
  const place = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  const members = Object.entries(payload).sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(members));
}

/** The payload that a source's text holds; anything else is a PayloadError. */
export function deserializePayload(text: string): DigestPayload {
  return validatePayload(parse(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = text.trim() === "" ? "is empty, not JSON" : "is no JSON";
    throw new PayloadError([{ path: "", message }], { cause });
  }
}

const floats: ReadonlySet<string> = new Set(["compression_ratio", "relevance_score"]);

/** As Python prints a float: never without a point or an exponent, and with an exponent of two digits below 0.0001. */
function pythonFloat(value: number): string {
  if (Number.isInteger(value)) return value.toFixed(1);
  if (Math.abs(value) >= 0.0001) return String(value);
  const [digits = "", exponent = ""] = value.toExponential().split("e-");
  return `${digits}e-${exponent.padStart(2, "0")}`;
}

function pythonJson(value: JsonValue, key = ""): string {
  if (typeof value === "number" && floats.has(key)) return pythonFloat(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => pythonJson(item)).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}: ${pythonJson(item ?? null, name)}`).join(", ")}}`;
}
