import * as z from "zod/mini";
import {
  archiveHashesSchema,
  fidelityLevelSchema,
  filledText,
  telemetrySchema,
  texts,
  upgradeHintSchema,
} from "../../contract/meta-fields.ts";
import { FIDELITY_SCHEMA_VERSION } from "../../contract/outcome.ts";
import { RESPONSE_VERSION } from "../../contract/meta.ts";
import { agreesWithCursor, paginationSchema } from "../../contract/pagination.ts";
import { rateLimitSchema } from "../../contract/rate-limit.ts";
import { isRequestId } from "../../contract/request-id.ts";
import { type Rule, type Violation, violate } from "../../contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { checkShape } from "./check-shape.ts";
import { ownMetaRules as rules } from "./meta-rules.ts";
import { checkWarningDetails } from "./warning-rules.ts";

interface ShapeCheck {
  readonly rule: Rule;
  readonly schema: z.ZodMiniType;
  readonly byKey?: Readonly<Record<string, Rule>>;
}

const toolNote: ShapeCheck = { rule: rules["meta/tool-notes"], schema: z.string() };

const shapes: Readonly<Record<string, ShapeCheck>> = {
  request_id: { rule: rules["meta/request-id"], schema: filledText },
  warnings: { rule: rules["meta/warnings"], schema: texts },
  pagination: { rule: rules["pagination/shape"], schema: paginationSchema },
  rate_limit: {
    rule: rules["rate-limit/shape"],
    schema: rateLimitSchema,
    byKey: { reset_at: rules["rate-limit/reset-at"] },
  },
  telemetry: { rule: rules["telemetry/shape"], schema: telemetrySchema },
  content_fidelity: { rule: rules["fidelity/level"], schema: fidelityLevelSchema },
  content_fidelity_schema_version: {
    rule: rules["fidelity/version"],
    schema: z.literal(FIDELITY_SCHEMA_VERSION),
  },
  dropped_content_ids: { rule: rules["fidelity/dropped-ids"], schema: texts },
  content_archive_hashes: { rule: rules["fidelity/archive-hashes"], schema: archiveHashesSchema },
  upgrade_hints: { rule: rules["meta/upgrade-hints"], schema: z.array(upgradeHintSchema) },
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
      rules["meta/request-id-format"],
      `${path}/request_id`,
      "The id has characters that not every log can carry, or too many",
    ),
  ];
}

function checkPagination(value: JsonValue | undefined, path: string): Violation[] {
  if (!isJsonObject(value) || !paginationSchema.safeParse(value).success) return [];
  if (!agreesWithCursor(value)) {
    return [violate(rules["pagination/has-more"], `${path}/pagination`, "has_more and cursor disagree")];
  }
  const absent = ["has_more", "page_size"].filter((key) => (value[key] ?? null) === null);
  if (absent.length === 0) return [];
  const found = `${absent.join(" and ")} ${absent.length === 1 ? "is" : "are"} missing`;
  return [violate(rules["pagination/fields"], `${path}/pagination`, found)];
}

function isCount(value: JsonValue | undefined): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

function checkRateLimit(value: JsonValue | undefined, path: string): Violation[] {
  if (!isJsonObject(value)) return [];
  const { limit, remaining } = value;
  if (!isCount(limit) || !isCount(remaining) || remaining <= limit) return [];
  return [
    violate(rules["rate-limit/remaining"], `${path}/rate_limit/remaining`, "remaining is over the limit"),
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
        rules["fidelity/omission"],
        `${path}/content_fidelity`,
        "Content was dropped, yet fidelity is full",
      ),
    );
  }
  const keys = ["content_fidelity", "dropped_content_ids", "content_archive_hashes"];
  if (keys.some((key) => isFilled(meta[key])) && !isFilled(meta["content_fidelity_schema_version"])) {
    found.push(
      violate(rules["fidelity/version-missing"], path, "content_fidelity_schema_version is missing"),
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
export function checkVersion(meta: JsonObject, path: string): Violation[] {
  if (meta["version"] === RESPONSE_VERSION) return [];
  return [violate(rules["meta/version"], `${path}/version`, "meta.version is missing or unknown")];
}
