import { ContractError } from "../../../core/contract/contract-error.ts";
import { describeIssue } from "../../../core/contract/describe-issue.ts";
import {
  type DigestPayload,
  digestPayloadSchema,
  fillPayload,
  type EvidenceSnippet,
  formatLocator,
} from "../../../core/contract/digest-payload.ts";
import { type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import { countCodePoints } from "../../../core/text/code-points.ts";
import { DIGEST_CONTENT_TYPE } from "../../../core/contract/wire-names.ts";
import { toCodePoints } from "../canonical-text.ts";
import type { CanonicalDocument, DocumentPage, ScoredSpan, TextSpan } from "../document.ts";

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

export interface PayloadParts extends SerializeOptions {
  readonly document: Pick<CanonicalDocument, "text" | "pages">;
  readonly queryHash: string;
  readonly textHash: string;
  readonly summary: string;
  readonly keyPoints: readonly string[];
  readonly evidence: readonly ScoredSpan[];
}

const SCORE_DECIMALS = 10_000;

/** The page at a position, by binary search: pages are in order. */
function pageAt(pages: readonly DocumentPage[], start: number): DocumentPage | undefined {
  let low = 0;
  let high = pages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pages[middle]?.end ?? 0) > start) high = middle;
    else low = middle + 1;
  }
  return pages[low];
}

/** The locators of spans in a document. */
export function locatorsOf(
  { text, pages }: PayloadParts["document"],
  spans: readonly TextSpan[],
): readonly string[] {
  const places = toCodePoints(
    text,
    spans.flatMap(({ start, end }) => [start, end]),
  );
  return spans.map((span, index) => {
    const [start = 0, end = 0] = places.slice(index * 2, index * 2 + 2);
    const page = pages === undefined ? undefined : pageAt(pages, span.start)?.number;
    return formatLocator({ start, end, page });
  });
}

/** The payload of a selection. It counts its own characters as it is sent, without its own two counts. */
export function buildPayload(parts: PayloadParts): DigestPayload {
  const { document, evidence } = parts;
  const locators = locatorsOf(document, evidence);
  const uncounted: DigestPayload = {
    version: "1.0",
    content_type: DIGEST_CONTENT_TYPE,
    query_hash: parts.queryHash,
    summary: parts.summary,
    key_points: parts.keyPoints,
    evidence_snippets: evidence.map(({ start, end, score }, index): EvidenceSnippet => ({
      text: document.text.slice(start, end),
      locator: locators[index] ?? "",
      relevance_score: Math.round(score * SCORE_DECIMALS) / SCORE_DECIMALS,
    })),
    original_chars: countCodePoints(document.text),
    digest_chars: 0,
    compression_ratio: 0,
    source_text_hash: parts.textHash,
  };
  const digestChars = countDigestChars(uncounted, parts);
  const ratio = ratioOf(digestChars, uncounted.original_chars);
  return { ...uncounted, digest_chars: digestChars, compression_ratio: Math.min(1, ratio) };
}

/** The code points of a payload as it is sent, with its two counts as 0 so that they do not count themselves. */
export function countDigestChars(payload: DigestPayload, { compat }: SerializeOptions = {}): number {
  const uncounted = { ...payload, digest_chars: 0, compression_ratio: 0 };
  return countCodePoints(serializePayload(uncounted, { compat }));
}
