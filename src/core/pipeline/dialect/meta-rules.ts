import * as z from "zod/mini";
import { isScreamingSnake } from "../../contract/error-registry.ts";
import { type Violation, defineRules, violate, type Rule } from "../../contract/rule.ts";
import {
  warningDetailSchema,
  archiveHashesSchema,
  fidelityLevelSchema,
  filledText,
  telemetrySchema,
  texts,
  upgradeHintSchema,
  RESPONSE_VERSION,
  agreesWithCursor,
  paginationSchema,
  rateLimitSchema,
} from "../../contract/meta.ts";
import { type JsonValue, isJsonObject, type JsonObject } from "../../json/json-value.ts";
import { checkShape, quote } from "./result-rules.ts";
import { FIDELITY_SCHEMA_VERSION } from "../../contract/outcome.ts";
import { isRequestId } from "../../contract/request-id.ts";

const warningSource = "seed 001, Warning Detail Field Definitions";

const warningRules = defineRules("envelope", {
  "warning/shape": {
    severity: "MUST",
    says: "warning_details is a list of objects with textual codes.",
    fix: "Send objects with code, severity, message and context.",
    source: warningSource,
  },
  "warning/message": {
    severity: "MUST",
    says: "A warning detail has a message.",
    fix: "Say in one sentence what is amiss.",
    source: warningSource,
  },
  "warning/severity": {
    severity: "MUST",
    says: "A warning's severity is info, warning or error.",
    fix: "Choose one of the three.",
    source: warningSource,
  },
  "warning/context": {
    severity: "MUST",
    says: "A warning's context is an object.",
    fix: "Put the facts under keys.",
    source: warningSource,
  },
  "warning/code-missing": {
    severity: "SHOULD",
    says: "A warning detail has a code.",
    fix: "Add a code such as PARTIAL_FAILURE, so that programs can tell warnings apart.",
    source: warningSource,
  },
  "warning/severity-missing": {
    severity: "SHOULD",
    says: "A warning detail has a severity.",
    fix: "Add info, warning or error.",
    source: warningSource,
  },
  "warning/code-case": {
    severity: "SHOULD",
    says: "Warning codes are SCREAMING_SNAKE_CASE.",
    fix: "Write the code in capitals with underscores.",
    source: warningSource,
  },
});

const details = z.array(warningDetailSchema);

function checkDetail(detail: JsonValue, path: string): Violation[] {
  if (!isJsonObject(detail)) return [];
  const { code, severity } = detail;
  const found: Violation[] = [];
  if ((code ?? null) === null)
    found.push(violate(warningRules["warning/code-missing"], path, "The warning has no code"));
  if ((severity ?? null) === null) {
    found.push(violate(warningRules["warning/severity-missing"], path, "The warning has no severity"));
  }
  if (typeof code === "string" && code !== "" && !isScreamingSnake(code)) {
    const message = `The code ${quote(code)} is not in capitals`;
    found.push(violate(warningRules["warning/code-case"], `${path}/code`, message));
  }
  return found;
}

function checkWarningDetails(value: JsonValue | undefined, path: string): Violation[] {
  if (value === undefined || value === null) return [];
  const byKey = {
    message: warningRules["warning/message"],
    severity: warningRules["warning/severity"],
    context: warningRules["warning/context"],
  };
  const shape = checkShape(warningRules["warning/shape"], details, value, path, byKey);
  const advice = Array.isArray(value)
    ? value.flatMap((detail, index) => checkDetail(detail, `${path}/${index}`))
    : [];
  return [...shape, ...advice];
}

/** Rules on `meta`, wherever a dialect carries one. */
const ownMetaRules = defineRules("envelope", {
  "meta/version": {
    severity: "MUST",
    says: 'meta.version is "response-v2".',
    fix: 'Set meta.version to "response-v2".',
    source: "seed 001, Metadata Field Semantics",
  },
  "meta/request-id": {
    severity: "MUST",
    says: "meta.request_id is a text.",
    fix: "Send the id as a string, or leave it out.",
    source: "seed 001, Metadata Field Semantics",
  },
  "meta/request-id-format": {
    severity: "SHOULD",
    says: "meta.request_id is 1 to 128 letters, digits, _ or -.",
    fix: "Use an id such as req_0a1b2c3d4e5f, which every log and header can carry.",
    source: "docs/contract.md, Request ids",
  },
  "meta/request-id-missing": {
    severity: "SHOULD",
    says: "meta.request_id is present.",
    fix: "Send the correlation id of the request, so that a report can be matched with the log.",
    source: "seed 001, Metadata Field Semantics",
  },
  "meta/warnings": {
    severity: "MUST",
    says: "meta.warnings is a list of strings.",
    fix: "Send the messages as strings and their structure in warning_details.",
    source: "seed 001, Metadata Field Semantics",
  },
  "pagination/shape": {
    severity: "MUST",
    says: "Pagination fields have their types: cursor text or null, has_more boolean, counts whole numbers.",
    fix: "Send the field in its type, or leave it out.",
    source: "seed 004, Pagination Fields",
  },
  "pagination/has-more": {
    severity: "MUST",
    says: "has_more is true exactly when there is a cursor.",
    fix: "Send a cursor with has_more: true, and cursor: null with has_more: false.",
    source: "seed 004, Pagination Pattern; docs/contract.md, Pagination",
  },
  "pagination/fields": {
    severity: "SHOULD",
    says: "Pagination says has_more and page_size on every page.",
    fix: "Add has_more and page_size, on the last and on empty pages too.",
    source: "docs/contract.md, Pagination",
  },
  "rate-limit/shape": {
    severity: "MUST",
    says: "Rate limit fields have their types: whole numbers, retry_after in seconds.",
    fix: "Send the field in its type, or leave it out.",
    source: "seed 001, Metadata Field Semantics",
  },
  "rate-limit/reset-at": {
    severity: "MUST",
    says: "rate_limit.reset_at is an ISO 8601 time in UTC.",
    fix: "Write it like 2026-01-31T12:00:00Z.",
    source: "seed 004, Metadata Fields",
  },
  "rate-limit/remaining": {
    severity: "SHOULD",
    says: "rate_limit.remaining is at most rate_limit.limit.",
    fix: "Send what is left of the quota, not what was used.",
    source: "seed 001, Metadata Field Semantics",
  },
  "telemetry/shape": {
    severity: "MUST",
    says: "Telemetry fields have their types: duration_ms a number, downstream_calls a whole number, cache_hit a boolean.",
    fix: "Send the field in its type, or leave it out.",
    source: "seed 004, Metadata Fields",
  },
  "fidelity/level": {
    severity: "MUST",
    says: "content_fidelity is full, partial, summary or reference_only.",
    fix: "Choose one of the four levels.",
    source: "seed 001, Content Fidelity Levels",
  },
  "fidelity/version-missing": {
    severity: "SHOULD",
    says: "content_fidelity_schema_version is present beside any other fidelity field.",
    fix: 'Add content_fidelity_schema_version: "1.0".',
    source: "seed 001, Content Fidelity Field Definitions; docs/contract.md, Fidelity",
  },
  "fidelity/version": {
    severity: "SHOULD",
    says: 'content_fidelity_schema_version is "1.0".',
    fix: 'Send "1.0", the only version there is.',
    source: "seed 001, Content Fidelity Field Definitions",
  },
  "fidelity/dropped-ids": {
    severity: "MUST",
    says: "dropped_content_ids is a list of strings.",
    fix: "Send the identifiers as strings.",
    source: "seed 001, Content Fidelity Field Definitions",
  },
  "fidelity/archive-hashes": {
    severity: "MUST",
    says: "content_archive_hashes maps archive ids to sha256: and 64 lower-case hex digits.",
    fix: "Send the whole SHA-256 of the archived content.",
    source: "seed 001, Content Fidelity Field Definitions",
  },
  "fidelity/omission": {
    severity: "MUST",
    says: "Content fidelity is below full when something was dropped.",
    fix: "Set content_fidelity to partial, summary or reference_only.",
    source: "seed 001, Content Fidelity Levels; docs/contract.md, Fidelity",
  },
  "meta/upgrade-hints": {
    severity: "MUST",
    says: "upgrade_hints is a list of {feature, tier, reason}.",
    fix: "Give each hint its three texts.",
    source: "seed 002, Upgrade Hints",
  },
  "meta/tool-notes": {
    severity: "MUST",
    says: "tool_id, tool_version, tier and provenance are strings, capabilities a list of strings.",
    fix: "Send the field in its type, or leave it out.",
    source: "docs/deviations.md, added keys",
  },
});

/** Every rule on `meta`, those of its warnings included. */
export const envelopeMetaRules = { ...ownMetaRules, ...warningRules };

interface ShapeCheck {
  readonly rule: Rule;
  readonly schema: z.ZodMiniType;
  readonly byKey?: Readonly<Record<string, Rule>>;
}

const toolNote: ShapeCheck = { rule: ownMetaRules["meta/tool-notes"], schema: z.string() };

const shapes: Readonly<Record<string, ShapeCheck>> = {
  request_id: { rule: ownMetaRules["meta/request-id"], schema: filledText },
  warnings: { rule: ownMetaRules["meta/warnings"], schema: texts },
  pagination: { rule: ownMetaRules["pagination/shape"], schema: paginationSchema },
  rate_limit: {
    rule: ownMetaRules["rate-limit/shape"],
    schema: rateLimitSchema,
    byKey: { reset_at: ownMetaRules["rate-limit/reset-at"] },
  },
  telemetry: { rule: ownMetaRules["telemetry/shape"], schema: telemetrySchema },
  content_fidelity: { rule: ownMetaRules["fidelity/level"], schema: fidelityLevelSchema },
  content_fidelity_schema_version: {
    rule: ownMetaRules["fidelity/version"],
    schema: z.literal(FIDELITY_SCHEMA_VERSION),
  },
  dropped_content_ids: { rule: ownMetaRules["fidelity/dropped-ids"], schema: texts },
  content_archive_hashes: { rule: ownMetaRules["fidelity/archive-hashes"], schema: archiveHashesSchema },
  upgrade_hints: { rule: ownMetaRules["meta/upgrade-hints"], schema: z.array(upgradeHintSchema) },
  tool_id: toolNote,
  tool_version: toolNote,
  tier: toolNote,
  provenance: toolNote,
  capabilities: { ...toolNote, schema: texts },
};

const shapeChecks = Object.entries(shapes);

function checkRequestId(value: JsonValue | undefined, path: string): Violation[] {
  if (typeof value !== "string" || value === "" || isRequestId(value)) return [];
  return [
    violate(
      ownMetaRules["meta/request-id-format"],
      `${path}/request_id`,
      "The id has characters that not every log can carry, or too many",
    ),
  ];
}

function checkPagination(value: JsonValue | undefined, path: string): Violation[] {
  if (!isJsonObject(value) || !paginationSchema.safeParse(value).success) return [];
  if (!agreesWithCursor(value)) {
    return [
      violate(ownMetaRules["pagination/has-more"], `${path}/pagination`, "has_more and cursor disagree"),
    ];
  }
  const absent = ["has_more", "page_size"].filter((key) => (value[key] ?? null) === null);
  if (absent.length === 0) return [];
  const found = `${absent.join(" and ")} ${absent.length === 1 ? "is" : "are"} missing`;
  return [violate(ownMetaRules["pagination/fields"], `${path}/pagination`, found)];
}

function isCount(value: JsonValue | undefined): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

function checkRateLimit(value: JsonValue | undefined, path: string): Violation[] {
  if (!isJsonObject(value)) return [];
  const { limit, remaining } = value;
  if (!isCount(limit) || !isCount(remaining) || remaining <= limit) return [];
  return [
    violate(
      ownMetaRules["rate-limit/remaining"],
      `${path}/rate_limit/remaining`,
      "remaining is over the limit",
    ),
  ];
}

function isFilled(value: JsonValue | undefined): boolean {
  return (
    value !== undefined && value !== null && !(typeof value === "object" && Object.keys(value).length === 0)
  );
}

function checkFidelity(meta: JsonObject, path: string): Violation[] {
  const found: Violation[] = [];
  const dropped = meta["dropped_content_ids"];
  const level = meta["content_fidelity"] ?? "full";
  if (Array.isArray(dropped) && dropped.length > 0 && level === "full") {
    found.push(
      violate(
        ownMetaRules["fidelity/omission"],
        `${path}/content_fidelity`,
        "Content was dropped, yet fidelity is full",
      ),
    );
  }
  const keys = ["content_fidelity", "dropped_content_ids", "content_archive_hashes"];
  if (keys.some((key) => isFilled(meta[key])) && !isFilled(meta["content_fidelity_schema_version"])) {
    found.push(
      violate(ownMetaRules["fidelity/version-missing"], path, "content_fidelity_schema_version is missing"),
    );
  }
  return found;
}

/** Violations inside a `meta` object; null and missing optional keys mean the same. */
export function checkMeta(meta: JsonObject, path: string): Violation[] {
  const found = shapeChecks.flatMap(([key, { rule, schema, byKey }]) => {
    const value = meta[key] ?? null;
    return value === null ? [] : checkShape(rule, schema, value, `${path}/${key}`, byKey);
  });
  return [
    ...found,
    ...checkRequestId(meta["request_id"], path),
    ...checkWarningDetails(meta["warning_details"], `${path}/warning_details`),
    ...checkPagination(meta["pagination"], path),
    ...checkRateLimit(meta["rate_limit"], path),
    ...checkFidelity(meta, path),
  ];
}

/** Violations of the version in an envelope's `meta`. */
export function checkMetaVersion(meta: JsonObject, path: string): Violation[] {
  if (meta["version"] === RESPONSE_VERSION) return [];
  return [violate(ownMetaRules["meta/version"], `${path}/version`, "meta.version is missing or unknown")];
}
