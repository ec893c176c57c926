import { ContractError } from "../../../core/contract/contract-error.ts";
import { describeIssue } from "../../../core/contract/describe-issue.ts";
import {
  type DigestPayload,
  digestPayloadSchema,
  fillPayload,
} from "../../../core/contract/digest-payload.ts";
import { type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";

export interface PayloadIssue {
  /** `key_points[3]`, `evidence_snippets[0].locator`; empty for the payload itself. */
  readonly path: string;
  readonly message: string;
}

/** Thrown for an invalid digest payload, with all its problems. */
export class PayloadError extends ContractError {
  override readonly name = "PayloadError";
  readonly issues: readonly PayloadIssue[];

  constructor(issues: readonly PayloadIssue[], options?: ErrorOptions) {
    const [first] = issues;
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
    const says = `${first?.path ?? ""} ${first?.message ?? "is invalid"}`.trim();
    super("INVALID_PAYLOAD", `The digest payload is invalid: ${says}${more}.`, {}, options);
    this.issues = issues;
  }
}

/** Payloads written elsewhere round later, or not at all. */
const RATIO_TOLERANCE = 0.0001;

/** The size of a digest as a share of the original, to four decimals. */
export function ratioOf(digestChars: number, originalChars: number): number {
  return originalChars === 0 ? 0 : Math.round((digestChars / originalChars) * 10_000) / 10_000;
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

function ratioIssues({ compression_ratio, digest_chars, original_chars }: DigestPayload): PayloadIssue[] {
  // An empty document has no ratio.
  if (original_chars === 0) return [];
  const ratio = ratioOf(digest_chars, original_chars);
  if (Math.abs(compression_ratio - Math.min(1, ratio)) <= RATIO_TOLERANCE) return [];
  const message = `is ${compression_ratio}, but ${digest_chars} of ${original_chars} characters are ${ratio}`;
  return [{ path: "compression_ratio", message }];
}

/**
 * The payload if it is valid; else a PayloadError with every issue. Further keys are accepted; an absent
 * version or content type gets its default.
 */
export function validatePayload(value: unknown): DigestPayload {
  const { success, error } = digestPayloadSchema.safeParse(value, { error: describeIssue });
  if (!success) {
    throw new PayloadError(error.issues.map(({ path, message }) => ({ path: pathOf(path), message })));
  }
  const payload = fillPayload(value as object);
  const issues = ratioIssues(payload);
  if (issues.length > 0) throw new PayloadError(issues);
  return payload;
}

export interface SerializeOptions {
  /** Byte for byte as the seed's system writes it: sorted keys, a space after `,` and `:`, 1.0 for 1. */
  readonly compat?: "foundry" | undefined;
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

/** A payload as the text of a source: compact JSON, the seed's keys in the seed's order, then other keys by name. */
export function serializePayload(payload: DigestPayload, { compat }: SerializeOptions = {}): string {
  const valid = validatePayload(payload);
  if (compat === "foundry") return pythonJson(valid as unknown as JsonValue);
  const place = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  const members = Object.entries(valid).sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(members));
}

/** The payload in a source's text; throws a PayloadError for anything else. */
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

/** As Python prints a float: always with a point or an exponent, and with an exponent of two digits below 0.0001. */
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
