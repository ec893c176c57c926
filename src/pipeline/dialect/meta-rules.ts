import * as z from "zod";
import {
  FIDELITY_SCHEMA_VERSION,
  archiveHashesSchema,
  fidelityLevelSchema,
} from "../../contract/fidelity.ts";
import { RESPONSE_VERSION } from "../../contract/meta.ts";
import { agreesWithCursor, paginationSchema } from "../../contract/pagination.ts";
import { rateLimitSchema } from "../../contract/rate-limit.ts";
import { requestIdSchema } from "../../contract/request-id.ts";
import { type Rule, type Violation, defineRules, violate } from "../../contract/rule.ts";
import { telemetrySchema } from "../../contract/telemetry.ts";
import { upgradeHintSchema } from "../../contract/upgrade-hint.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { checkShape } from "./check-shape.ts";
import { checkWarningDetails, warningRules } from "./warning-rules.ts";

/** Rules on `meta`, wherever a dialect carries one. */
const ownRules = defineRules("envelope", {
  "meta/version": {
    severity: "MUST",
    says: 'meta.version is "response-v2".',
    fix: 'Set meta.version to "response-v2".',
    source: "seed 001, Metadata Field Semantics",
  },
  "meta/request-id": {
    severity: "MUST",
    says: "meta.request_id is 1 to 128 letters, digits, _ or -.",
    fix: "Use an id such as req_0a1b2c3d4e5f.",
    source: "seed 001, Metadata Field Semantics; CONTRACT, Scalpel",
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
    source: "seed 004, Pagination Pattern; CONTRACT, Pagination",
  },
  "pagination/fields": {
    severity: "SHOULD",
    says: "Pagination says has_more and page_size on every page.",
    fix: "Add has_more and page_size, on the last and on empty pages too.",
    source: "CONTRACT, Pagination",
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
    source: "seed 001, Content Fidelity Field Definitions; CONTRACT, Fidelity",
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
    source: "seed 001, Content Fidelity Levels; DESIGN 5, law 3",
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

export const metaRules = { ...ownRules, ...warningRules };

interface ShapeCheck {
  readonly rule: Rule;
  readonly schema: z.ZodType;
  readonly byKey?: Readonly<Record<string, Rule>>;
}

const strings = z.array(z.string());
const toolNote: ShapeCheck = { rule: ownRules["meta/tool-notes"], schema: z.string() };

const shapes: Readonly<Record<string, ShapeCheck>> = {
  request_id: { rule: ownRules["meta/request-id"], schema: requestIdSchema },
  warnings: { rule: ownRules["meta/warnings"], schema: strings },
  pagination: { rule: ownRules["pagination/shape"], schema: paginationSchema },
  rate_limit: {
    rule: ownRules["rate-limit/shape"],
    schema: rateLimitSchema,
    byKey: { reset_at: ownRules["rate-limit/reset-at"] },
  },
  telemetry: { rule: ownRules["telemetry/shape"], schema: telemetrySchema },
  content_fidelity: { rule: ownRules["fidelity/level"], schema: fidelityLevelSchema },
  content_fidelity_schema_version: {
    rule: ownRules["fidelity/version"],
    schema: z.literal(FIDELITY_SCHEMA_VERSION),
  },
  dropped_content_ids: { rule: ownRules["fidelity/dropped-ids"], schema: strings },
  content_archive_hashes: { rule: ownRules["fidelity/archive-hashes"], schema: archiveHashesSchema },
  upgrade_hints: { rule: ownRules["meta/upgrade-hints"], schema: z.array(upgradeHintSchema) },
  tool_id: toolNote,
  tool_version: toolNote,
  tier: toolNote,
  provenance: toolNote,
  capabilities: { ...toolNote, schema: strings },
};

function checkPagination(value: JsonValue | undefined, path: string): Violation[] {
  if (!isJsonObject(value) || !paginationSchema.safeParse(value).success) return [];
  if (!agreesWithCursor(value)) {
    return [violate(ownRules["pagination/has-more"], `${path}/pagination`, "has_more and cursor disagree")];
  }
  const absent = ["has_more", "page_size"].filter((key) => (value[key] ?? null) === null);
  if (absent.length === 0) return [];
  const found = `${absent.join(" and ")} ${absent.length === 1 ? "is" : "are"} missing`;
  return [violate(ownRules["pagination/fields"], `${path}/pagination`, found)];
}

function isCount(value: JsonValue | undefined): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

function checkRateLimit(value: JsonValue | undefined, path: string): Violation[] {
  if (!isJsonObject(value)) return [];
  const { limit, remaining } = value;
  if (!isCount(limit) || !isCount(remaining) || remaining <= limit) return [];
  return [
    violate(ownRules["rate-limit/remaining"], `${path}/rate_limit/remaining`, "remaining is over the limit"),
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
        ownRules["fidelity/omission"],
        `${path}/content_fidelity`,
        "Content was dropped, yet fidelity is full",
      ),
    );
  }
  const keys = ["content_fidelity", "dropped_content_ids", "content_archive_hashes"];
  if (keys.some((key) => isFilled(meta[key])) && !isFilled(meta["content_fidelity_schema_version"])) {
    found.push(
      violate(ownRules["fidelity/version-missing"], path, "content_fidelity_schema_version is missing"),
    );
  }
  return found;
}

/** Violations inside a `meta` object; null and absent optional keys are alike. */
export function checkMeta(meta: JsonObject, path: string): Violation[] {
  const found = Object.entries(shapes).flatMap(([key, { rule, schema, byKey }]) => {
    const value = meta[key] ?? null;
    return value === null ? [] : checkShape(rule, schema, value, `${path}/${key}`, byKey);
  });
  return [
    ...found,
    ...checkWarningDetails(meta["warning_details"], `${path}/warning_details`),
    ...checkPagination(meta["pagination"], path),
    ...checkRateLimit(meta["rate_limit"], path),
    ...checkFidelity(meta, path),
  ];
}

/** Violations of the version every envelope's `meta` names. */
export function checkVersion(meta: JsonObject, path: string): Violation[] {
  if (meta["version"] === RESPONSE_VERSION) return [];
  return [violate(ownRules["meta/version"], `${path}/version`, "meta.version is missing or unknown")];
}
